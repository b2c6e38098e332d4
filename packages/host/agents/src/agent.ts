/** One live agent: a scope that owns, a log that remembers, and an end that is awaited. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from './contract.js'
import { AgentCleanupError } from './errors.js'
import { createSessionLog } from './session-log.js'

export interface AgentOptions {
  readonly id: string
  readonly sessionId: string
  readonly cwd: string
  /** Scope below which the agent's own scope is opened. */
  readonly parent: Context
  readonly now: () => number
  /** Told about failures nobody awaits any more, and about listeners that throw. */
  readonly onError: (error: unknown) => void
  /** Called once, when the agent and everything it owned have gone. */
  readonly onEnded: (agent: Agent) => void
}

/**
 * Open an agent's scope.
 * @returns the agent once its scope can own things. A frozen plain object: no proxy can come between it and its identity.
 */
export async function openAgent(options: AgentOptions): Promise<Agent> {
  const session = createSessionLog({ id: options.sessionId, now: options.now, onListenerError: options.onError })
  const failures: unknown[] = []
  let end: Promise<void> | undefined

  const fiber = options.parent.plugin({
    name: `agent-${options.id}`,
    apply(ctx: Context) {
      // The scope may also be ended from above; whatever ends it, the agent ends the same way.
      ctx.effect(() => () => void agent.dispose().catch(() => undefined), 'agent')
    },
  })

  const finish = async (): Promise<void> => {
    await fiber.dispose()
    // Somebody else may have started the disposal: then only the fiber knows when it is over.
    await fiber.await()
    session.seal()
    options.onEnded(agent)
    if (failures.length > 0) {
      const error = new AgentCleanupError(options.id, Object.freeze([...failures]))
      options.onError(error)
      throw error
    }
  }

  const agent: Agent = Object.freeze({
    id: options.id,
    ctx: fiber.ctx,
    session,
    cwd: options.cwd,
    get alive() {
      return end === undefined && fiber.uid !== null
    },
    recordFailure(error: unknown) {
      if (session.isSealed) options.onError(error)
      else failures.push(error)
    },
    dispose() {
      end ??= finish()
      return end
    },
  })
  await fiber
  return agent
}
