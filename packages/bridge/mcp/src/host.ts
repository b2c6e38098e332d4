/** What a connection needs from the composition, by contract. */
import type { AgentsService } from '@agent-terminals/agents/contract'
import type { SandboxPolicyService } from '@agent-terminals/sandbox/contract'
import type { TerminalEvent, TerminalSessionId, TerminalSessions } from '@agent-terminals/terminal'
import type { ToolsService } from '@agent-terminals/tools/contract'
import type { Context } from '@deepseek-ai/cordis'

export interface Host {
  readonly agents: AgentsService
  readonly tools: ToolsService
  readonly terminals: TerminalSessions
  /** The policy service, when one is mounted at this moment. */
  findPolicy(): SandboxPolicyService | undefined
  /** @returns a release. */
  onToolsChanged(listener: () => void): () => void
  /** @returns a release. */
  onTerminalEvent(listener: (id: TerminalSessionId, event: TerminalEvent) => void): () => void
}

/** Services that a context must have before `createHost`. */
export const HOST_SERVICES = ['agents', 'tools', 'terminals'] as const

export function createHost(ctx: Context): Host {
  return {
    get agents() {
      return ctx.agents
    },
    get tools() {
      return ctx.tools
    },
    get terminals() {
      return ctx.terminals
    },
    findPolicy: () => ctx.get('sandboxPolicy'),
    onToolsChanged: (listener) => ctx.on('tools/changed', listener),
    onTerminalEvent: (listener) => ctx.on('terminal/event', listener),
  }
}
