import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { listDescendants, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { connectProcess } from '../../../bridge/acp/tests/client/spawned.js'

useBaseline()

const bin = fileURLToPath(new URL('../bin/agent-terminals.js', import.meta.url))
const shipped = readFileSync(fileURLToPath(new URL('../cordis.yml', import.meta.url)), 'utf8')

const NOISY = `export const name = 'noisy'
export const inject = ['tools']
console.log('noisy: loaded')
export function apply(ctx) {
  process.stdout.write('noisy: mounted, without a line end')
  ctx.logger.warn('noisy: a warning')
  ctx.tools.hook({ before() { console.log('noisy: a call'); console.error('noisy: more'); return { action: 'continue' } } })
}
`

/** How long a command may run: no test is about the end of a send's time. */
const TIMEOUT_MS = 170_000

const send = (text: string) => ({
  tool: 'terminal_send',
  args: { sessionId: '${shell.sessionId}', text, timeoutMs: TIMEOUT_MS },
})
const scriptOf = (...commands: string[]) => ({
  prompts: [
    {
      steps: [
        { calls: [{ tool: 'terminal_open', args: { type: 'shell' }, as: 'shell' }] },
        ...commands.map((text) => ({ calls: [send(text)] })),
      ],
      reply: 'done',
    },
  ],
})

let directory: string
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'cli-acp-')))
  writeFileSync(join(directory, 'noisy.mjs'), NOISY)
  writeFileSync(join(directory, 'noisy.yml'), `${shipped}\n- id: noisy\n  name: ./noisy.mjs\n`)
})
afterAll(() => rmSync(directory, { recursive: true }))

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const started: { readonly child: Child; readonly ended: Promise<unknown> }[] = []
// A test that has failed ends its server here, and with it everything on the server's terminals.
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.stdout.resume()
    child.kill('SIGTERM')
    await ended
  }
})

function start(commands: readonly string[], ...more: string[]) {
  const script = join(directory, `script-${Math.random().toString(36).slice(2)}.json`)
  writeFileSync(script, JSON.stringify(scriptOf(...commands)))
  const child: Child = spawn(process.execPath, [bin, 'acp', '--script', script, ...more], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  started.push({ child, ended })
  return { child, ended, errors: () => stderr, ...connectProcess(child, { meta: { terminal_output: true } }) }
}

test('case 51: standard output carries one message per line, whatever commands and plugins print', async () => {
  const { child, client, ended, errors, lines } = start(
    ['echo out; echo err >&2', 'printf "no line end"'],
    '--config',
    join(directory, 'noisy.yml'),
  )
  const sessionId = await client.open(directory)
  expect(await client.prompt(sessionId)).toEqual({ stopReason: 'end_turn' })
  expect(client.violations()).toEqual([])
  child.stdin.end()
  expect(await ended).toBe(0)
  expect(lines().length).toBeGreaterThan(5)
  for (const line of lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  expect(errors()).toContain('noisy: loaded')
  expect(errors()).toContain('noisy: a call')
})

test('the process ends by itself, and everything it started with it, when the client goes away in the middle', async () => {
  const { child, client, ended } = start(['sleep 300'])
  const sessionId = await client.open(directory)
  client.prompt(sessionId).catch(() => undefined)
  await waitUntil('the command runs', () => sleepsBelow(child).length === 1)
  const pids = listDescendants(child.pid ?? 0).map(({ pid }) => pid)
  child.stdin.end()
  expect(await ended).toBe(0)
  expect(listDescendants(process.pid).filter(({ pid }) => pids.includes(pid))).toEqual([])
})

test('a client that stops listening in the middle of output ends the process like one that leaves', async () => {
  const { child, client, ended, errors } = start(['while :; do echo more; sleep 0.01; done'])
  const sessionId = await client.open(directory)
  client.prompt(sessionId).catch(() => undefined)
  await client.until('output has come', () => JSON.stringify(client.updates(sessionId)).includes('more'))
  const pids = listDescendants(child.pid ?? 0).map(({ pid }) => pid)
  expect(pids.length).toBeGreaterThan(0)
  child.stdout.destroy()
  expect(await ended, errors()).toBe(0)
  expect(errors()).toBe('')
  expect(listDescendants(process.pid).filter(({ pid }) => pids.includes(pid))).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'case 53: a client that stops reading during 100 MB costs the budget of a card, not the output (needs /proc)',
  async () => {
    const flood = 'yes 0123456789abcdef0123456789abcdef | head -c 100000000'
    const { child, client, ended } = start([`touch begun; ${flood}; touch over; echo; echo last`])
    const sessionId = await client.open(directory)
    const answered = client.prompt(sessionId)
    await waitUntil('it has begun', () => existsSync(join(directory, 'begun')))
    const before = readPeakMegabytes(child)
    child.stdout.pause()
    await waitUntil('all has been printed', () => existsSync(join(directory, 'over')), 120_000)
    expect(readPeakMegabytes(child) - before).toBeLessThan(64)
    child.stdout.resume()
    expect(await answered).toEqual({ stopReason: 'end_turn' })
    expect(client.violations()).toEqual([])
    expect(client.view(sessionId, client.callIds(sessionId).at(-1) ?? '').status).toBe('completed')
    const text = client.view(sessionId, client.callIds(sessionId).at(-1) ?? '').card?.text ?? ''
    expect(Buffer.byteLength(text)).toBeLessThan(4_194_304 + 1024)
    expect(text.endsWith('last\r\n')).toBe(true)
    child.stdin.end()
    expect(await ended).toBe(0)
  },
  180_000,
)

test('SIGTERM ends the sessions while the client watches, with 130', async () => {
  const { child, client, ended } = start(['sleep 300'])
  const sessionId = await client.open(directory)
  const answered = client.prompt(sessionId)
  await waitUntil('the command runs', () => sleepsBelow(child).length === 1)
  child.kill('SIGTERM')
  expect(await answered).toEqual({ stopReason: 'cancelled' })
  expect(await ended).toBe(130)
  expect(client.violations()).toEqual([])
  expect(client.view(sessionId, client.callIds(sessionId).at(-1) ?? '').status).toBe('failed')
})

test('a composition that cannot start says why on standard error only', async () => {
  const { ended, errors, lines } = start([], '--config', join(directory, 'none.yml'))
  expect(await ended).toBe(1)
  expect(errors()).toMatch(/There is no composition/)
  expect(lines()).toEqual([])
})

/** proc_pid_status(5), VmHWM: the largest resident size so far. */
function readPeakMegabytes({ pid }: Child): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

const sleepsBelow = (child: Child) => listDescendants(child.pid ?? 0).filter(({ command }) => command.includes('sleep'))
