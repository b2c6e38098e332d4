/** What is left of a host's terminals once the host itself has ended, in each way in which a process can end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { listSurvivors } from './survivors.mjs'

const HOST = fileURLToPath(new URL('./host.mjs', import.meta.url))
const LIMIT_MS = 3000
const WAYS = ['normal exit', 'uncaught exception', 'SIGTERM', 'SIGINT', 'SIGKILL']

async function measureEnd(way, { name, workspaceRoot = '' }) {
  const child = spawn(process.execPath, [HOST, way, name, workspaceRoot], { stdio: ['pipe', 'pipe', 'ignore'] })
  const exited = once(child, 'exit')
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
    if (output.endsWith('\n')) child.stdout.emit('ready')
  })
  await Promise.race([once(child.stdout, 'ready'), exited])
  const [, pid, tag] = /^ready (\d+) (\w+)$/m.exec(output) ?? []
  if (tag === undefined) throw new Error(`the host was not ready: ${output}`)
  const before = listSurvivors(tag, Number(pid)).length
  // The shell and four programs at least: else there would be nothing to end, and nothing proven.
  if (before < 5) throw new Error(`only ${before} processes were found before the end of the host`)
  child.stdin.write('.')
  await exited
  const start = performance.now()
  for (;;) {
    const left = listSurvivors(tag, Number(pid))
    const elapsedMs = performance.now() - start
    if (left.length === 0 || elapsedMs > LIMIT_MS) return { elapsedMs, left: left.length }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** @param quick - all ways without a sandbox, and the hardest with one. */
export async function measureHostEnds(runners, quick) {
  const rows = []
  for (const runner of runners) {
    const { name } = runner
    for (const way of quick && name !== 'plain' ? ['SIGKILL'] : WAYS) {
      const { elapsedMs, left } = await measureEnd(way, runner)
      rows.push({
        case: `host ends by ${way} (${name})${left > 0 ? ` (${left} left)` : ''}`,
        ours: elapsedMs,
        unit: 'ms',
        target: `nothing left within ${LIMIT_MS} ms`,
        pass: left === 0,
      })
    }
  }
  return rows
}
