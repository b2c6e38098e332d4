import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Check, renderChecks } from '../src/doctor/check.js'
import { checkNode } from '../src/doctor/host.js'
import { runCli } from './run-cli.js'

useBaseline()

const shipped = readFileSync(fileURLToPath(new URL('../cordis.yml', import.meta.url)), 'utf8')
let directory: string
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'doctor-')))
})
afterAll(() => rmSync(directory, { recursive: true }))

async function examine(composition: string): Promise<{ readonly code: number | null; readonly checks: Check[] }> {
  const file = join(directory, 'cordis.yml')
  writeFileSync(file, composition)
  const { code, stdout } = await runCli(['doctor', '--json', '--config', file])
  return { code, checks: JSON.parse(stdout) as Check[] }
}

const statusOf = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name)?.status

describe('the doctor', () => {
  test('finds the shipped composition in good health', async () => {
    const { code, stdout, stderr } = await runCli(['doctor'])
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    for (const name of [
      'node',
      'pty library',
      'composition',
      'terminal',
      'shell',
      'prompt marks',
      'sees cat',
      'sees read',
    ]) {
      expect(stdout).toMatch(new RegExp(`^✔ ${name} `, 'm'))
    }
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

  test('warns about full access and goes on', async () => {
    const { code, checks } = await examine(shipped.replace('mode: workspace-write', 'mode: danger-full-access'))
    expect(code).toBe(0)
    expect(statusOf(checks, 'sandbox mode')).toBe('warn')
    expect(statusOf(checks, 'terminal')).toBe('ok')
  })
})

test.each([
  ['20.18.3', 'fail'],
  ['18.20.0', 'fail'],
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
])('Node %s is %s', (version, status) => {
  expect(checkNode(version).status).toBe(status)
})

test('findings are lines with a mark, and advice and notes below them', () => {
  const checks: Check[] = [
    { name: 'node', status: 'ok', detail: '22.1.0', notes: ['Old.'] },
    { name: 'shell', status: 'fail', detail: 'no prompt', advice: 'Install bash.' },
  ]
  expect(renderChecks(checks, (_, text) => text)).toBe(
    '✔ node   22.1.0\n         · Old.\n✘ shell  no prompt\n         → Install bash.',
  )
})
