// Closing terminals that are full of things that do not want to go: how long it takes, and whether anything is left.
import { randomUUID } from 'node:crypto'
import * as subprocess from '@agent-terminals/subprocess'
import { Context } from '@deepseek-ai/cordis'
import { spawn } from 'node-pty'
import { teardownCases } from './teardown/cases.mjs'
import { measureHostEnds } from './teardown/host-end.mjs'
import { startRunners } from './teardown/runners.mjs'
import { listSurvivors } from './teardown/survivors.mjs'

export const name = 'teardown'
export const describe = 'time from close to the proof that nothing is left, and what is left'

export const quickLeavesOut =
  'all closes but one per case, ten of an idle shell: what is left is judged, times are seen; of the ways in which a host in a sandbox ends all but the hardest'

const GRACE_MS = 500
const LIMITS = {
  idle: { ms: 60, words: 'nothing left, p50 ≤ 60 ms' },
  cooperative: { ms: 150, words: 'nothing left, p50 ≤ 150 ms' },
  forced: { ms: GRACE_MS + 200, words: `nothing left, p50 ≤ grace (${GRACE_MS}) + 200 ms` },
}
const SHELL = ['/bin/bash', '--norc', '--noprofile', '-i']
const PROMPT = 'bench> '

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

function waitForText(subscribe, text) {
  return new Promise((resolve) => {
    let seen = ''
    subscribe((chunk) => {
      seen += chunk.toString()
      if (seen.includes(text)) resolve()
    })
  })
}

/** The bare minimum: a raw bash that is hung up, until its exit is reported. */
async function measureFloor() {
  const env = { PATH: process.env.PATH, TERM: 'dumb', PS1: PROMPT }
  const pty = spawn(SHELL[0], SHELL.slice(1), { cwd: '/', env })
  await waitForText((listener) => pty.onData(listener), PROMPT)
  const exited = new Promise((resolve) => pty.onExit(resolve))
  const start = performance.now()
  pty.kill('SIGHUP')
  // A bash that is hung up at the very moment of its prompt can miss it.
  const again = setInterval(() => pty.kill('SIGHUP'), 10)
  await exited
  clearInterval(again)
  return performance.now() - start
}

async function measureClose(service, runner, command) {
  const mark = randomUUID()
  const confined = await runner.confine(SHELL)
  const terminal = await service.spawnTerminal({
    argv: confined.argv,
    cwd: '/',
    env: { ...confined.env, BENCH_MARK: mark, PS1: PROMPT, HISTFILE: '' },
    size: { columns: 80, rows: 24 },
    terminalType: 'dumb',
  })
  let release
  const subscribe = (listener) => {
    release?.()
    release = terminal.onOutput((chunk) => listener(Buffer.from(chunk)))
  }
  await waitForText(subscribe, PROMPT)
  const isReady = command === '' ? undefined : waitForText(subscribe, 'GO')
  if (command !== '') await terminal.write(`${command}\r`)
  await isReady
  const start = performance.now()
  const failure = await terminal.terminate({ graceMs: GRACE_MS }).then(
    () => undefined,
    (error) => error,
  )
  const elapsedMs = performance.now() - start
  const left = listSurvivors(mark, terminal.pid).length
  release?.()
  await confined.release()
  return { elapsedMs, left, failure }
}

async function measureCase(service, runner, { case: title, command, limit }, quick, floor) {
  const closes = []
  const rounds = limit === 'idle' ? (quick ? 10 : 100) : quick ? 1 : 5
  for (let round = 0; round < rounds; round++) closes.push(await measureClose(service, runner, command))
  const ours = median(closes.map(({ elapsedMs }) => elapsedMs))
  const left = closes.reduce((sum, close) => sum + close.left, 0)
  const named = closes.flatMap(({ failure }) => failure?.survivors ?? []).length
  const { ms, words } = LIMITS[limit]
  return {
    case: `${title} (${runner.name})${left > 0 ? ` (${left} left, ${named} named)` : ''}`,
    ours,
    floor,
    unit: 'ms',
    ratio: ours / floor,
    target: quick ? 'nothing left' : words,
    pass: left === 0 && (quick || ours <= ms),
  }
}

export async function run({ quick }) {
  const ctx = new Context()
  const fiber = await ctx.plugin(subprocess, {})
  const floors = []
  for (let round = 0; round < (quick ? 5 : 20); round++) floors.push(await measureFloor())
  const floor = median(floors)
  const { runners, close } = await startRunners()
  const rows = []
  for (const runner of runners) {
    for (const each of teardownCases) rows.push(await measureCase(ctx.subprocess, runner, each, quick, floor))
  }
  rows.push(...(await measureHostEnds(runners, quick)))
  await close()
  await fiber.dispose()
  return rows
}
