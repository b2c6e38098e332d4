/** The backend by itself, over real processes, with its host's services open to a test. */
import type { SandboxPolicyService, SandboxService } from '@agent-terminals/sandbox/contract'
import * as subprocess from '@agent-terminals/subprocess'
import type { SubprocessService, SubprocessTerminal } from '@agent-terminals/subprocess/contract'
import type { BackendEvent, BackendSession, SendResult, TerminalSessionId } from '@agent-terminals/terminal'
import { Context } from '@deepseek-ai/cordis'
import { createShellBackend } from '../../src/backend.js'
import { Config } from '../../src/config.js'
import { type Clock, systemClock } from '../../src/session/clock.js'
import type { Timeline } from '../../src/session/trail.js'

/** Counts what a terminal is asked, and which timers are set. */
export class Counter {
  looks = 0
  timers = 0
  readonly clock: Clock = {
    now: systemClock.now,
    schedule: (delayMs, callback) => {
      this.timers++
      let isOver = false
      const end = () => {
        if (!isOver) this.timers--
        isOver = true
      }
      const release = systemClock.schedule(delayMs, () => {
        end()
        callback()
      })
      return () => {
        end()
        release()
      }
    },
  }

  watch(handle: SubprocessTerminal): SubprocessTerminal {
    const counted = <Args extends unknown[], Result>(run: (...args: Args) => Result) => {
      return (...args: Args) => {
        this.looks++
        return run(...args)
      }
    }
    return new Proxy(handle, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target)
        if (typeof value !== 'function') return value
        const bound = value.bind(target) as (...args: unknown[]) => unknown
        const isLook = key === 'inspect' || key === 'foregroundGroup' || key === 'attributes'
        return isLook ? counted(bound) : bound
      },
    })
  }
}

export interface BackendHarness {
  readonly events: BackendEvent[]
  readonly log: string[]
  readonly timelines: Timeline[]
  readonly subprocess: SubprocessService
  open(options?: OpenOptions): Promise<BackendSession>
  close(): Promise<void>
}

export interface OpenOptions {
  readonly config?: Record<string, unknown>
  readonly signal?: AbortSignal
  readonly cwd?: string
  readonly counter?: Counter
  readonly clock?: Clock
  readonly policy?: SandboxPolicyService
  readonly sandbox?: SandboxService
  readonly subprocess?: SubprocessService
  readonly isDebug?: boolean
}

export const OPEN_POLICY: SandboxPolicyService = {
  resolve: () => ({ mode: 'danger-full-access', workspaceRoot: '/', network: 'allow' }),
  setMode() {},
  fence: () => () => {},
}

export async function startBackendHarness(): Promise<BackendHarness> {
  const ctx = new Context()
  await ctx.plugin(subprocess, subprocess.Config.parse({}))
  const events: BackendEvent[] = []
  const log: string[] = []
  const timelines: Timeline[] = []
  return {
    events,
    log,
    timelines,
    subprocess: ctx.subprocess,
    close: () => ctx.fiber.dispose(),
    open: ({ config = {}, signal, cwd, counter, clock, policy, sandbox, subprocess: service, isDebug } = {}) => {
      const base = service ?? ctx.subprocess
      const counting: SubprocessService | undefined = counter && {
        environment: () => base.environment(),
        resolveExecutable: (name) => base.resolveExecutable(name),
        spawnTerminal: async (spec) => counter.watch(await base.spawnTerminal(spec)),
      }
      const backend = createShellBackend(
        {
          subprocess: counting ?? base,
          sandboxPolicy: policy ?? OPEN_POLICY,
          sandbox: () => sandbox,
          clock: clock ?? counter?.clock ?? systemClock,
          debug: isDebug
            ? (text, timeline) => {
                log.push(text)
                timelines.push(timeline)
              }
            : undefined,
        },
        Config.parse(config),
      )
      return backend.open({
        sessionId: 'test' as TerminalSessionId,
        owner: { id: 'test', ctx, cwd: process.cwd() },
        cwd: cwd ?? process.cwd(),
        size: { columns: 120, rows: 30 },
        signal: signal ?? new AbortController().signal,
        emit: (event) => events.push(event.type === 'data' ? { ...event, bytes: new Uint8Array(event.bytes) } : event),
      })
    },
  }
}

export async function sendTo(session: BackendSession, text: string, options = {}): Promise<SendResult> {
  const outcome = await session.send({ text, submit: true, ...options }).outcome
  if (outcome.kind === 'settled') return outcome.result
  throw outcome.kind === 'failed' ? outcome.error : new Error('the send was cancelled')
}
