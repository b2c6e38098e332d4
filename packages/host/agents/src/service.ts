import { randomUUID } from 'node:crypto'
import type { Context } from '@deepseek-ai/cordis'
import { openAgent } from './agent.js'
import type { Agent, AgentsService } from './contract.js'
import { AgentError } from './errors.js'
import { resolveWorkingDirectory } from './working-directory.js'

const MAX_ID_LENGTH = 128

export interface OwnedAgents {
  readonly service: AgentsService
  /** Refuse new agents and end all live ones. Resolves when everything is gone; failures have been logged. */
  close(): Promise<void>
}

/**
 * Live agents by id. Agents are kept below the given scope, never below a caller's: whoever starts an agent may go
 * before it does.
 */
export function createAgents(scope: Context): OwnedAgents {
  const live = new Map<string, Agent>()
  const reserved = new Set<string>()
  let isClosing = false

  const logError = (error: unknown) => scope.logger.error(error)

  const announce = (event: 'agent/created' | 'agent/disposed', agent: Agent) => {
    try {
      scope.emit(event, agent)
    } catch (error) {
      logError(error)
    }
  }

  const assertOpen = () => {
    if (isClosing || scope.fiber.uid === null) {
      throw new AgentError('DISPOSED', 'The agents service is shutting down; no new agent can start.')
    }
  }

  const reserve = (requested: string | undefined): string => {
    const id = requested ?? `agent-${randomUUID()}`
    if (id.length === 0 || id.length > MAX_ID_LENGTH || /\p{Cc}/u.test(id)) {
      throw new AgentError(
        'ID_INVALID',
        `${JSON.stringify(id.slice(0, MAX_ID_LENGTH))} cannot be an agent's id. Use 1 to ${MAX_ID_LENGTH} characters without control characters.`,
      )
    }
    if (live.has(id) || reserved.has(id)) {
      throw new AgentError('ID_TAKEN', `Agent ${id} is alive. Use another id or let the service mint one.`)
    }
    reserved.add(id)
    return id
  }

  const start = async (id: string, requestedCwd: string): Promise<Agent> => {
    const cwd = await resolveWorkingDirectory(requestedCwd)
    assertOpen()
    const agent = await openAgent({
      id,
      sessionId: `session-${randomUUID()}`,
      cwd,
      parent: scope,
      now: Date.now,
      onError: logError,
      onEnded(ended) {
        // An agent that never became live has not been announced either.
        if (live.delete(ended.id)) announce('agent/disposed', ended)
      },
    })
    if (!agent.alive) {
      await agent.dispose()
      assertOpen()
    }
    live.set(id, agent)
    agent.session.append('session/started', { cwd })
    announce('agent/created', agent)
    return agent
  }

  return {
    service: {
      async create(options) {
        assertOpen()
        const id = reserve(options.id)
        try {
          return await start(id, options.cwd)
        } finally {
          reserved.delete(id)
        }
      },
      get: (id) => live.get(id),
      list: () => [...live.values()],
    },

    async close() {
      isClosing = true
      await Promise.allSettled([...live.values()].map((agent) => agent.dispose()))
    },
  }
}
