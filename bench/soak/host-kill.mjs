/** Another host, full of agents at work, is killed hard: nothing of it is left. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listSurvivors } from '../teardown/survivors.mjs'

const HOST = fileURLToPath(new URL('./host.mjs', import.meta.url))
/** The watcher needs under a second; a machine that is full of other work needs more. */
const LIMIT_MS = 10_000

/** @throws when something is left, or when there was nothing that could have been left. */
export async function killHost({ seed, wave, afterMs }) {
  const child = spawn(process.execPath, [HOST, String(seed), String(wave)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([once(lines, 'line'), exited.then(() => [''])])
  const tag = /^at work (\w+)$/.exec(line)?.[1]
  if (tag === undefined) throw new Error(`the host that was to be killed did not start: ${line}`)
  await pause(afterMs)
  const before = listSurvivors(tag, -1).length
  if (before === 0) throw new Error('the host that was to be killed had started nothing')
  child.kill('SIGKILL')
  await exited
  const started = performance.now()
  for (;;) {
    const left = listSurvivors(tag, -1)
    const elapsedMs = performance.now() - started
    if (left.length === 0) return { elapsedMs, before }
    if (elapsedMs > LIMIT_MS) throw new Error(`left behind by a host that was killed: pid ${left.join(', ')}`)
    await pause(20)
  }
}
