/** What a connection needs of the host. */
import type { AgentLoopService } from '@agent-terminals/agent-loop/contract'
import type { AgentsService } from '@agent-terminals/agents/contract'
import type { TerminalSessions } from '@agent-terminals/terminal'
import type { Clock } from './clock.js'
import type { Config } from './config.js'
import type { SessionStore } from './session-store.js'

export interface House {
  readonly config: Config
  readonly clock: Clock
  readonly agents: AgentsService
  readonly agentLoop: AgentLoopService
  readonly findTerminals: () => TerminalSessions | undefined
  readonly store: SessionStore | undefined
  readonly onError: (error: unknown) => void
}
