/** Find out what a runner does here by running it: one write that must work, one that must not. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunnerProbe } from '../contract.js'
import type { Runner, WrappedCommand } from './runner.js'

const PROBE_TIMEOUT_MS = 10_000
const KEPT = 'kept'

type Execution = { readonly ok: boolean; readonly detail: string }

function execute({ argv, env }: WrappedCommand): Promise<Execution> {
  const [file, ...args] = argv
  return new Promise((resolve) => {
    execFile(file, args, { env: { ...process.env, ...env }, timeout: PROBE_TIMEOUT_MS }, (error, _stdout, stderr) => {
      const [firstLine = ''] = stderr.trim().split('\n')
      resolve({ ok: error === null, detail: firstLine || (error?.message ?? '') })
    })
  })
}

/**
 * Writes inside the workspace, then tries outside to make a file and to empty, rename and remove one. Succeeds only when the
 * first works and all of the rest is refused: early Landlock does not govern truncation.
 */
const PROBE_SCRIPT = [
  'echo in > "$1" || exit 1',
  '(echo out > "$2") 2>/dev/null',
  'truncate -s 0 "$3" 2>/dev/null',
  'mv "$3" "$2" 2>/dev/null',
  'rm -f "$3" 2>/dev/null',
  'exit 0',
].join('\n')

export async function probeRunner(runner: Runner): Promise<RunnerProbe> {
  const isForeign = runner.platform !== process.platform
  const report = (usable: boolean, detail: string): RunnerProbe => ({
    runner: runner.name,
    usable,
    network: runner.canDenyNetwork,
    detail,
    limits: runner.limits,
    ...(usable || isForeign ? {} : { advice: runner.advice }),
  })
  if (isForeign) return report(false, `works on ${runner.platform} only`)
  const obstacle = runner.findObstacle()
  if (obstacle !== undefined) return report(false, obstacle)

  const base = realpathSync(mkdtempSync(join(tmpdir(), 'agent-terminals-probe-')))
  const [workspaceRoot, privateDirectory, outside] = ['workspace', 'private', 'outside'].map((each) =>
    join(base, each),
  ) as [string, string, string]
  try {
    for (const directory of [workspaceRoot, privateDirectory, outside]) mkdirSync(directory)
    const inside = join(workspaceRoot, 'inside')
    const escaped = join(outside, 'escaped')
    const kept = join(outside, 'kept')
    writeFileSync(kept, KEPT)
    const { ok, detail } = await execute(
      runner.wrap({
        argv: ['/bin/sh', '-c', PROBE_SCRIPT, 'probe', inside, escaped, kept],
        mode: 'workspace-write',
        workspaceRoot,
        network: 'allow',
        privateDirectory,
        visible: [outside],
      }),
    )
    const isKept = existsSync(kept) && readFileSync(kept, 'utf8') === KEPT
    if (existsSync(escaped) || !isKept) return report(false, 'a write outside the workspace was not refused')
    if (!ok || !existsSync(inside)) return report(false, detail || 'the probe failed without a message')
    return report(true, 'a write outside the workspace was refused')
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}
