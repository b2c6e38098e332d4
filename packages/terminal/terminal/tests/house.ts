/** A root context with the service, a scripted backend and a manual clock. */

import { ManualClock } from '@agent-terminals/testing'
import { Context, type Fiber } from '@deepseek-ai/cordis'
import type { Config as ServiceConfig } from '../src/config.js'
import { Config, type TerminalOwner, TerminalSessionService, type TerminalSessions } from '../src/index.js'
import { ScriptedBackend, type ScriptedSession } from './scripted-backend.js'

export interface House {
  readonly root: Context
  readonly terminals: TerminalSessions
  readonly backend: ScriptedBackend
  readonly clock: ManualClock
  /** Everything that was logged as an error. */
  readonly logged: unknown[]
  readonly serviceFiber: Fiber
  /** A new owner with a scope of its own. */
  createOwner(id?: string): Promise<ScopedOwner>
  /** A published terminal of a new owner. */
  openOne(request?: { readonly name?: string }): Promise<{
    readonly owner: ScopedOwner
    readonly id: Awaited<ReturnType<TerminalSessions['spawn']>>['sessionId']
    readonly session: ScriptedSession
  }>
}

export interface ScopedOwner extends TerminalOwner {
  readonly dispose: () => Promise<void>
}

export async function buildHouse(config: Partial<ServiceConfig> = {}): Promise<House> {
  const root = new Context()
  const clock = new ManualClock()
  const logged: unknown[] = []
  root.logger.exporter({
    export: (message) => {
      if (message.type === 'error') logged.push(message.args[0])
    },
  })
  const serviceFiber = await root.plugin({
    name: 'terminal',
    apply: (ctx: Context) => {
      new TerminalSessionService(ctx, Config.parse(config), clock)
    },
  })
  const backend = new ScriptedBackend()
  await root.inject(['terminals'], (ctx) => {
    ctx.terminals.registerBackend(backend)
  })
  const terminals = root.terminals
  const createOwner = async (id = 'agent'): Promise<ScopedOwner> => {
    const fiber = await root.plugin({ name: id, apply: () => {} })
    return { id, ctx: fiber.ctx, cwd: '/work', dispose: async () => fiber.dispose() }
  }
  return {
    root,
    terminals,
    backend,
    clock,
    logged,
    serviceFiber,
    createOwner,
    async openOne(request = {}) {
      const owner = await createOwner()
      const opening = terminals.spawn(owner, { type: 'scripted', ...request })
      const session = backend.lastOpen.succeed()
      const { sessionId } = await opening
      return { owner, id: sessionId, session }
    },
  }
}

/** Let everything that is already decided happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  await new Promise((resolve) => setImmediate(resolve))
}

/** @returns how a promise stands after everything already decided has happened. */
export async function look<Value>(
  promise: Promise<Value>,
): Promise<
  | { readonly state: 'pending' }
  | { readonly state: 'resolved'; readonly value: Value }
  | { readonly state: 'rejected'; readonly error: unknown }
> {
  const settled = promise.then(
    (value) => ({ state: 'resolved' as const, value }),
    (error: unknown) => ({ state: 'rejected' as const, error }),
  )
  const waiting = settle().then(() => ({ state: 'pending' as const }))
  return Promise.race([settled, waiting])
}

/** @returns what a call throws or rejects with. */
export async function failureOf(call: () => unknown): Promise<Error & { readonly code?: string }> {
  try {
    await call()
  } catch (error) {
    if (error instanceof Error) return error
    throw new Error(`not an error: ${String(error)}`)
  }
  throw new Error('the call did not fail')
}
