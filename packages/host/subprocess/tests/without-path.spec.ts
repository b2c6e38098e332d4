/** A host that was started without `PATH`, as some service managers do. */
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tryPty } from '../src/diagnostics/index.js'
import { runPsNow } from '../src/inspector/run-ps.js'
import { readAttributes } from '../src/terminal/attributes.js'
import { openSubprocess } from './open-subprocess.js'
import { startBash } from './support/pty-program.js'

useBaseline()

beforeEach(() => void vi.stubEnv('PATH', undefined))
afterEach(() => void vi.unstubAllEnvs())

describe('a host without PATH', () => {
  it('finds ps', () => {
    expect(runPsNow(['-p', String(process.pid)])).toContain(String(process.pid))
  })

  it('finds stty', async () => {
    const bash = await startBash()
    expect(await readAttributes(bash.ttyPath, 'linux')).toMatchObject({ signals: true })
    await bash.end()
  })

  it('finds programs for its terminals', async () => {
    const { service, dispose } = await openSubprocess()
    expect(await service.resolveExecutable('sh')).toMatch(/\/bin\/sh$/)
    await dispose()
  })

  it('can try a PTY', async () => {
    expect(await tryPty()).toMatchObject({ kind: 'works' })
  })
})
