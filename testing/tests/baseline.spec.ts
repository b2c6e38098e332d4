import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { captureBaseline, isAlive, suiteEnvironment, useBaseline, waitUntil } from '../src/index.js'

/** Started by a shell that ends at once, in a session of its own. */
function startOrphan(env: Record<string, string | undefined>): number {
  const script = 'setsid sleep 50 >/dev/null 2>&1 & echo $!'
  return Number(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, ...env } }))
}

const pidsOf = () => captureBaseline().processes.map(({ pid }) => pid)

describe.skipIf(process.platform !== 'linux')('a baseline (needs procfs)', () => {
  useBaseline()

  it.each([
    ['inherits the environment', {}],
    ['is given the name of the suite', suiteEnvironment()],
  ])('counts a process whose parent has gone when it %s', async (_title, env) => {
    const pid = startOrphan(env)
    expect(pidsOf()).toContain(pid)
    process.kill(pid, 'SIGKILL')
    await waitUntil('it has gone', () => !isAlive(pid))
    expect(pidsOf()).not.toContain(pid)
  })

  it('does not count what another suite started', async () => {
    const pid = startOrphan({ BASELINE_SUITE: 'another' })
    expect(pidsOf()).not.toContain(pid)
    process.kill(pid, 'SIGKILL')
    await waitUntil('it has gone', () => !isAlive(pid))
  })
})
