/**
 * Program of the leak benchmark: opens and ends terminals in this process, and prints as JSON what it held before, halfway
 * and after. Arguments: rounds, failed opens.
 */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import { Context } from '@deepseek-ai/cordis'
import { measureHeap, takeQuietCensus } from './census.mjs'

const [rounds, failures] = process.argv.slice(2).map(Number)
/** Compiles what runs often, starts the watcher, and lets as many ended terminals pile up as are kept. */
const WARM_UP = Math.max(48, rounds)
const PARALLEL = 4
/** Looks of which the least counts. A quick run is content with fewer. */
const LOOKS = rounds < 100 ? 10 : 30

const base = realpathSync(mkdtempSync(join(tmpdir(), 'bench-leak-')))
const shell = join(base, 'bash')
const dying = join(base, 'dying')
mkdirSync(dying)
// A shell that ends before its first prompt, in one directory; anywhere else it is the real one.
writeFileSync(shell, `#!/bin/bash\n[ "$PWD" = ${dying} ] && exit 7\nexec /bin/bash "$@"\n`)
chmodSync(shell, 0o755)

const ctx = new Context()
ctx.provide('sandboxPolicy', {
  resolve: () => ({ mode: 'danger-full-access', workspaceRoot: '/', network: 'allow' }),
  setMode() {},
  fence: () => () => {},
})
await ctx.plugin(subprocess, {})
await ctx.plugin(terminal, {})
await ctx.plugin(terminalBash, { shell })
const owner = { id: 'bench', ctx, cwd: base }

async function sendTo(sessionId, text) {
  const outcome = await ctx.terminals.send(owner, sessionId, { text, submit: true }).outcome
  if (outcome.kind !== 'settled') throw new Error(`the send was ${outcome.kind}`, { cause: outcome.error })
}

/** Every second terminal ends by itself and is forgotten when newer ones have; the others are closed, with a job or without. */
async function runRound(index) {
  const { sessionId } = await ctx.terminals.spawn(owner, { type: 'shell' })
  if (index % 2 === 0) return await sendTo(sessionId, 'echo done; exit 3')
  await sendTo(sessionId, index % 4 === 1 ? 'sleep 999 &' : 'echo done')
  await ctx.terminals.close(owner, sessionId)
}

const FAILURES = [
  { request: { cwd: join(base, 'nowhere') }, code: 'CWD_MISSING' },
  { request: { cwd: shell }, code: 'CWD_NOT_A_DIRECTORY' },
  { request: { cwd: dying }, code: 'SPAWN_FAILED' },
  { abortAfterMs: 0 },
  { abortAfterMs: 2 },
]

async function failToOpen(index) {
  const { request = {}, code, abortAfterMs } = FAILURES[index % FAILURES.length]
  const controller = new AbortController()
  const reason = new Error('changed my mind')
  if (abortAfterMs !== undefined) setTimeout(() => controller.abort(reason), abortAfterMs)
  try {
    const { sessionId } = await ctx.terminals.spawn(owner, { type: 'shell', ...request, signal: controller.signal })
    // The abort came after the publication.
    await ctx.terminals.close(owner, sessionId)
    if (code !== undefined) throw new Error(`opened although ${code} was expected`)
  } catch (error) {
    if (error !== reason && error.code !== code) throw error
  }
}

async function repeat(count, run) {
  let next = 0
  const work = async () => {
    while (next < count) await run(next++)
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
}

async function takeStock() {
  for (const { sessionId } of ctx.terminals.list(owner)) await ctx.terminals.close(owner, sessionId)
  return { census: await takeQuietCensus(ctx.subprocess.hostTag, LOOKS), heapBytes: await measureHeap() }
}

async function perform(share) {
  await repeat(Math.round(rounds * share), runRound)
  await repeat(Math.round(failures * share), failToOpen)
}

// A terminal that stays keeps the watcher of the host's end alive, so that it is there at the start and at the end.
await ctx.terminals.spawn({ id: 'resident', ctx, cwd: base }, { type: 'shell' })
await repeat(WARM_UP, runRound)
await repeat(FAILURES.length * 2, failToOpen)
const start = await takeStock()
const began = performance.now()
await perform(0.5)
const halfway = await takeStock()
await perform(0.5)
const elapsedMs = performance.now() - began
const end = await takeStock()
const { hostTag } = ctx.subprocess
await ctx.fiber.dispose()
rmSync(base, { recursive: true, force: true })
const disposed = await takeQuietCensus(hostTag, LOOKS)
console.log(JSON.stringify({ start, halfway, end, disposed, elapsedMs }))
