/** The one agent of a connection: started by the first request that needs it, ended and awaited with the connection. */
import type { Agent } from '@agent-terminals/agents/contract'
import type { ConnectionConfig } from '../config.js'
import { McpBridgeError } from '../errors.js'
import type { Host } from '../host.js'
import { resolveWorkspace } from './workspace.js'

/** Asks the client for the URIs of its roots. Never rejects. */
export type AskRoots = () => Promise<readonly string[]>

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'starting'; readonly started: Promise<Agent> }
  | { readonly kind: 'live'; readonly agent: Agent }
  | { readonly kind: 'ended' }

export interface AgentHolder {
  /** The agent, started now if there is none. @throws McpBridgeError, or AgentError when it cannot start; the next call tries again. */
  demand(askRoots: AskRoots): Promise<Agent>
  current(): Agent | undefined
  /** Refuse new demands, end the agent with everything it owns, and wait for that. @throws AgentCleanupError. */
  end(): Promise<void>
}

export interface AgentHolderParts {
  readonly host: Host
  readonly config: Pick<ConnectionConfig, 'root' | 'sandbox'>
  /** Told when the client's wish for a workspace was not followed. */
  readonly onNotice: (notice: string) => void
}

export function createAgentHolder(parts: AgentHolderParts): AgentHolder {
  let state: State = { kind: 'none' }
  const closed = () => new McpBridgeError('CONNECTION_CLOSED', 'The connection has ended. Connect again.')

  const start = async (askRoots: AskRoots): Promise<Agent> => {
    try {
      const agent = await startAgent(parts, askRoots, () => state.kind === 'ended')
      if (state.kind === 'starting') state = { kind: 'live', agent }
      return agent
    } catch (error) {
      if (state.kind === 'starting') state = { kind: 'none' }
      throw error
    }
  }

  return {
    async demand(askRoots) {
      if (state.kind === 'ended') throw closed()
      if (state.kind === 'live') return state.agent
      if (state.kind === 'none') state = { kind: 'starting', started: start(askRoots) }
      const agent = await state.started
      if (!agent.alive) throw closed()
      return agent
    },
    current: () => (state.kind === 'live' ? state.agent : undefined),
    async end() {
      const before = state
      state = { kind: 'ended' }
      if (before.kind === 'live') await before.agent.dispose()
      if (before.kind === 'starting')
        await before.started.then(
          (agent) => agent.dispose(),
          () => undefined,
        )
    },
  }
}

async function startAgent(
  { host, config, onNotice }: AgentHolderParts,
  askRoots: AskRoots,
  isEnded: () => boolean,
): Promise<Agent> {
  const policy = host.findPolicy()
  const { cwd, narrowTo, notice } = await resolveWorkspace({ config, askRoots, policy })
  if (isEnded()) throw new McpBridgeError('CONNECTION_CLOSED', 'The connection ended while its agent was starting.')
  const agent = await host.agents.create({ cwd })
  try {
    if (config.sandbox !== undefined) policy?.setMode(agent.session, config.sandbox)
    if (narrowTo !== undefined) agent.session.append('sandbox/workspace', { workspaceRoot: narrowTo })
  } catch (error) {
    await agent.dispose()
    throw error
  }
  if (notice !== undefined) onNotice(notice)
  return agent
}
