/** The doctor as people run it. What cannot be brought about here is injected in `doctor/`. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as subprocess from '@agent-terminals/subprocess'
import { isAlive, useBaseline } from '@agent-terminals/testing'
import { Context } from '@deepseek-ai/cordis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Check, type DoctorReport, doctorReport } from '../src/doctor/report.js'
import { runCli } from './run-cli.js'

useBaseline()

const run = promisify(execFile)
const bin = fileURLToPath(new URL('../bin/agent-terminals.js', import.meta.url))
const shipped = readFileSync(fileURLToPath(new URL('../cordis.yml', import.meta.url)), 'utf8')
let directory: string
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'doctor-')))
})
afterAll(() => rmSync(directory, { recursive: true }))

async function examine(composition: string): Promise<DoctorReport & { readonly code: number | null }> {
  const file = join(directory, 'cordis.yml')
  writeFileSync(file, composition)
  const { code, stdout } = await runCli(['doctor', '--json', '--config', file])
  return { code, ...doctorReport.parse(JSON.parse(stdout)) }
}

const statusOf = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name)?.status

describe('the doctor', () => {
  test('finds the shipped composition in good health', async () => {
    const { code, stdout, stderr } = await runCli(['doctor'])
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    for (const name of [
      'node',
      'pty library',
      'pty',
      'composition',
      'sandbox mode',
      'terminal',
      'shell',
      'integration',
    ]) {
      expect(stdout).toMatch(new RegExp(`^✔ ${name} `, 'm'))
    }
    for (const name of ['evidence', 'sees cat', 'sees read', 'sees getpass', 'open files', 'ptys']) {
      expect(stdout).toMatch(new RegExp(`^✔ ${name} `, 'm'))
    }
    expect(stdout).toMatch(/\n\nTerminals work here.*\.\n$/)
  })

  test.each([
    ['bwrap', /Process numbers inside differ/],
    ['landlock', /The network cannot be denied/],
  ])(
    'opens a terminal in %s when it is the only one permitted, and says what its limits are',
    async (runner, limit) => {
      const { code, checks } = await examine(
        shipped.replace(/(- id: sandbox\n.*\n)/, `$1  config:\n    runners: [${runner}]\n`),
      )
      expect(code, JSON.stringify(checks)).toBe(0)
      const found = checks.find(({ name }) => name === `runner ${runner}`)
      expect(found).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^used: /) })
      expect(found?.notes?.join('\n')).toMatch(limit)
      expect(statusOf(checks, 'sees read')).toBe('ok')
    },
  )

  test('fails with advice when no permitted runner works', async () => {
    const { code, checks } = await examine(
      shipped.replace(/(- id: sandbox\n.*\n)/, '$1  config:\n    runners: [seatbelt]\n'),
    )
    expect(code).toBe(1)
    expect(statusOf(checks, 'runner seatbelt')).toBe('fail')
    expect(checks.find(({ name }) => name === 'terminal')?.detail).toMatch(/Tried seatbelt: works on darwin only/)
  })

  test('fails when the composition does not start, and names the field', async () => {
    const { code, checks } = await examine(shipped.replace('timeoutMs: 30000', 'timeoutMs: soon'))
    expect(code).toBe(1)
    expect(checks.find(({ name }) => name === 'composition')).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(/terminal-bash: .*timeoutMs/s),
    })
  })

  test('warns when waits cannot be proven, and says what that costs', async () => {
    const { code, checks } = await examine(shipped.replace('timeoutMs: 30000', 'timeoutMs: 30000\n    inspector: off'))
    expect(code).toBe(0)
    expect(checks.find(({ name }) => name === 'evidence')).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/are not proven/),
      cost: expect.stringMatching(/silence/),
      advice: expect.stringMatching(/inspector: off/),
    })
    expect(statusOf(checks, 'sees cat')).toBe('warn')
  })

  test('fails when the shell is not there, and names where it was looked for', async () => {
    const { code, checks } = await examine(shipped.replace('timeoutMs: 30000', 'shell: /no/such/bash'))
    expect(code).toBe(1)
    expect(checks.find(({ name }) => name === 'terminal')).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(/\/no\/such\/bash/),
    })
  })

  test('fails when the composition has no terminals, and says what to add', async () => {
    const { code, checks } = await examine("- name: '@agent-terminals/agents'\n")
    expect(code).toBe(1)
    expect(statusOf(checks, 'composition')).toBe('ok')
    expect(checks.find(({ name }) => name === 'terminal')).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(/Add @agent-terminals\/terminal/),
    })
  })

  test('warns when few terminals fit', async () => {
    const { stdout } = await run('sh', [
      '-c',
      'ulimit -n 250; exec "$0" "$@"',
      process.execPath,
      bin,
      'doctor',
      '--json',
    ])
    const { ok, checks } = doctorReport.parse(JSON.parse(stdout))
    expect(ok).toBe(true)
    expect(checks.find(({ name }) => name === 'open files')).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/of 250 descriptors of this process in use; .*room for \d$/),
      advice: 'Raise `ulimit -n`.',
    })
  })

  test('warns about full access and goes on', async () => {
    const { code, checks } = await examine(shipped.replace('mode: workspace-write', 'mode: danger-full-access'))
    expect(code).toBe(0)
    expect(statusOf(checks, 'sandbox mode')).toBe('warn')
    expect(statusOf(checks, 'terminal')).toBe('ok')
  })
})

describe.skipIf(process.platform !== 'linux')('leftovers of a host that has gone (needs procfs)', () => {
  const tag = (pid: number, startTime: string) =>
    `${'ef'.repeat(16)}_${pid}_${startTime}_${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}`
  const ownStart = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ')[19] ?? ''

  async function startSleeper(hostTag: string) {
    const child = spawn('sleep', ['8301'], {
      env: { PATH: process.env.PATH, AGENT_TERMINALS_HOST: hostTag, AGENT_TERMINALS_TAG: `doctor-${hostTag}` },
      stdio: 'ignore',
      detached: true,
    })
    await once(child, 'spawn')
    if (child.pid === undefined) throw new Error('sleep was not started')
    return { pid: child.pid, end: once(child, 'exit') }
  }

  test('are listed, and ended when asked for; those of a host that runs are left alone', async () => {
    const lost = await startSleeper(tag(process.pid, '1'))
    const used = await startSleeper(tag(process.pid, ownStart))
    const look = await runCli(['doctor'])
    expect(look.code).toBe(0)
    expect(look.stdout).toMatch(/^! leftovers /m)
    expect(look.stdout).toContain(` ${lost.pid} sleep 8301\n`)
    expect(look.stdout).not.toContain(` ${used.pid} sleep`)
    expect(isAlive(lost.pid)).toBe(true)
    const { code, stdout } = await runCli(['doctor', '--json', '--end-leftovers'])
    const { leftovers } = doctorReport.parse(JSON.parse(stdout))
    expect(code).toBe(0)
    expect(leftovers).toContainEqual({
      pid: lost.pid,
      startTime: expect.stringMatching(/^\d+$/),
      command: 'sleep 8301',
      ended: true,
    })
    await lost.end
    expect(isAlive(used.pid)).toBe(true)
    process.kill(used.pid, 'SIGKILL')
    await used.end
  })
})

test('an interrupt ends the examination with 130, and nothing stays', async () => {
  const { code, stdout, stderr } = await runCli(['doctor'], {
    onOutput: (text, kill) => {
      if (/^✔ terminal /m.test(text)) kill('SIGINT')
    },
  })
  expect(code, stdout).toBe(130)
  expect(stderr).toMatch(/nothing is left running/)
  expect(stdout).not.toMatch(/^✘/m)
})

test('on a terminal it names what takes long while it does, and takes that back before a finding', async () => {
  const file = join(directory, 'slow.yml')
  writeFileSync(file, shipped.replace('timeoutMs: 30000', 'timeoutMs: 30000\n    inspector: off'))
  const ctx = new Context()
  const fiber = await ctx.plugin(subprocess, subprocess.Config.parse({}))
  const terminal = await ctx.subprocess.spawnTerminal({
    argv: [process.execPath, bin, 'doctor', '--config', file],
    cwd: directory,
    size: { columns: 200, rows: 50 },
    terminalType: 'xterm',
  })
  const decoder = new TextDecoder()
  let shown = ''
  terminal.onOutput((bytes) => {
    shown += decoder.decode(bytes, { stream: true })
  })
  await terminal.exited
  await fiber.dispose()
  expect(shown).toContain('Trying the terminal …\r\u001b[K')
  expect(shown.replaceAll('…\r\u001b[K', '')).not.toContain('…')
})
