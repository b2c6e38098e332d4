import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxPolicyService, SandboxService } from '@agent-terminals/sandbox/contract'
import type { SubprocessService } from '@agent-terminals/subprocess/contract'
import { TerminalBackendCleanupError, TerminalError } from '@agent-terminals/terminal'
import { listDescendants, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BackendHarness, sendTo, startBackendHarness } from '../support/backend.js'

useBaseline()

describe('starting a shell', () => {
  let harness: BackendHarness
  let directory: string
  beforeAll(async () => {
    harness = await startBackendHarness()
    directory = mkdtempSync(join(tmpdir(), 'start-'))
  })
  afterAll(async () => {
    await harness.close()
    rmSync(directory, { recursive: true })
  })

  /** A bash that runs `rc` before anything else. */
  const shellWith = (rc: string) => {
    const path = join(directory, `bash-${Math.random().toString(36).slice(2)}`)
    writeFileSync(path, `#!/bin/bash\n${rc}\nexec bash "$@"\n`, { mode: 0o755 })
    return path
  }
  const shells = () => listDescendants(process.pid).filter((row) => row.command.startsWith('bash')).length

  it('is ready at once for the first send', async () => {
    for (let round = 0; round < 10; round++) {
      const session = await harness.open()
      expect((await sendTo(session, 'echo hello')).viewport.text).toBe('hello\n')
      await session.close()
    }
  })

  it('waits for slow start files and returns what they print', async () => {
    const session = await harness.open({ config: { shell: shellWith('echo welcome; sleep 1'), idleSilenceMs: 200 } })
    expect(session.motd).toBe('welcome\n')
    expect((await sendTo(session, 'echo hello')).viewport.text).toBe('hello\n')
    await session.close()
  })

  it('refuses a shell that shows no prompt in time, and leaves nothing behind', async () => {
    const config = { shell: shellWith('echo stuck; sleep 60'), startTimeoutMs: 400 }
    const error = await harness.open({ config }).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(TerminalError)
    expect(error).toMatchObject({ code: 'SPAWN_TIMEOUT', message: expect.stringContaining('stuck') })
    expect(shells()).toBe(0)
  })

  it('reports a shell that ends before its prompt, with its code and output', async () => {
    const error = await harness.open({ config: { shell: shellWith('echo broken; exit 4') } }).catch((each) => each)
    expect(error).toMatchObject({ code: 'SPAWN_FAILED', message: expect.stringMatching(/exit code 4.*broken/s) })
  })

  it('reports a shell that a signal ends before its prompt', async () => {
    const error = await harness.open({ config: { shell: shellWith('kill -KILL $$') } }).catch((each) => each)
    expect(error).toMatchObject({ code: 'SPAWN_FAILED', message: expect.stringContaining('signal SIGKILL') })
  })

  it('rejects with the caller’s own reason when it is cancelled, and leaves nothing behind', async () => {
    const controller = new AbortController()
    const reason = { why: 'not needed' }
    const opening = harness.open({ config: { shell: shellWith('sleep 60') }, signal: controller.signal })
    await waitUntil('the shell starts', () => shells() > 0)
    controller.abort(reason)
    expect(await opening.catch((each: unknown) => each)).toBe(reason)
    expect(shells()).toBe(0)
  })

  it('does not start anything when it is cancelled before', async () => {
    const reason = new Error('too late')
    await expect(harness.open({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it.each([
    ['SHELL_MISSING', { config: { shell: '/nowhere/bash' } }, '/nowhere/bash'],
    ['CWD_MISSING', { cwd: '/nowhere/at/all' }, '/nowhere/at/all'],
    ['CWD_NOT_A_DIRECTORY', { cwd: '/etc/passwd' }, '/etc/passwd'],
  ])('answers %s with the path', async (code, options, path) => {
    const error = await harness.open(options).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(TerminalError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(path) })
  })

  it('hands over a clean-up that failed, to be tried again', async () => {
    let attempts = 0
    const failing: SubprocessService = {
      environment: () => harness.subprocess.environment(),
      resolveExecutable: (name) => harness.subprocess.resolveExecutable(name),
      spawnTerminal: async (spec) => {
        const handle = await harness.subprocess.spawnTerminal(spec)
        const terminate = handle.terminate.bind(handle)
        return new Proxy(handle, {
          get: (target, key) => {
            if (key === 'terminate') {
              return async (options: { graceMs: number }) => {
                if (attempts++ === 0) throw new Error('one process is left')
                return terminate(options)
              }
            }
            const value: unknown = Reflect.get(target, key, target)
            return typeof value === 'function' ? value.bind(target) : value
          },
        })
      },
    }
    const config = { shell: shellWith('exit 4') }
    const error = await harness.open({ config, subprocess: failing }).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(TerminalBackendCleanupError)
    if (!(error instanceof TerminalBackendCleanupError)) return
    expect(error.startupError).toMatchObject({ code: 'SPAWN_FAILED' })
    await error.cleanup()
    expect(attempts).toBe(2)
  })

  describe('in a confined mode', () => {
    const confined: SandboxPolicyService = {
      resolve: () => ({ mode: 'workspace-write', workspaceRoot: '/tmp', network: 'allow' }),
      setMode() {},
      fence: () => () => {},
    }

    it('refuses to start without a runner, and says what to do', async () => {
      const error = await harness.open({ policy: confined }).catch((each: unknown) => each)
      expect(error).toMatchObject({ code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('workspace-write') })
    })

    it('wraps the shell once and releases the confinement when it is closed', async () => {
      const calls: string[] = []
      const sandbox: SandboxService = {
        confine: async (argv, policy) => {
          calls.push(`confine ${policy.mode}`)
          return {
            argv: ['/usr/bin/env', ...argv],
            env: { CONFINED: 'yes' },
            runner: 'env',
            endsDescendants: false,
            release: async () => void calls.push('release'),
          }
        },
        probes: async () => [],
      }
      const session = await harness.open({ policy: confined, sandbox })
      expect((await sendTo(session, 'echo $CONFINED')).viewport.text).toBe('yes\n')
      await session.close()
      expect(calls).toEqual(['confine workspace-write', 'release'])
    })

    it('passes on why a runner refuses', async () => {
      const sandbox: SandboxService = {
        confine: () => Promise.reject(new Error('user namespaces are switched off')),
        probes: async () => [],
      }
      const error = await harness.open({ policy: confined, sandbox }).catch((each: unknown) => each)
      expect(error).toMatchObject({ code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('namespaces') })
    })
  })
})
