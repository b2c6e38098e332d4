import { captureBaseline, useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { startBash } from './pty-program.js'

describe.skipIf(process.platform !== 'linux')('a program on a PTY (needs procfs)', () => {
  useBaseline()

  it('leaves nothing, not even a job that stops when it is hung up', async () => {
    const before = captureBaseline().processes
    const bash = await startBash()
    bash.write(`sh -c 'trap "kill -STOP \\$\\$" HUP; echo star""ted; while :; do sleep 1; done'\r`)
    await bash.waitForOutput('started')
    expect(captureBaseline().processes.length).toBeGreaterThan(before.length + 1)
    await bash.end()
    expect(captureBaseline().processes).toEqual(before)
  })
})
