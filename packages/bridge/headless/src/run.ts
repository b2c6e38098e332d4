/** Run prompts one after another and write down everything that happens. */
import type { AgentLoopService, TurnOutcome } from '@agent-terminals/agent-loop/contract'
import type { AgentsService, SessionEvent } from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/jobs/contract'
import type {} from '@agent-terminals/tools/contract'

export interface HeadlessHost {
  readonly agents: AgentsService
  readonly agentLoop: AgentLoopService
}

export interface HeadlessOptions {
  /** Absolute working directory of the agent. */
  readonly cwd: string
  /** Run in order; the first one that does not complete is the last one run. */
  readonly prompts: readonly string[]
  /** Ends the run: the turn is cancelled, the agent disposed. */
  readonly signal: AbortSignal
  /** One line of JSON per session event, line feed included. */
  readonly write: (line: string) => void
  /** Gets the whole log once the run is over, for example to record it as a script. */
  readonly onEnded?: (events: readonly SessionEvent[]) => void
}

/**
 * @returns the outcome of the last prompt that ran, after the agent and all it owned are gone.
 * @throws AgentError when there can be no such agent; AgentCleanupError when something of it could not be ended.
 */
export async function runHeadless(host: HeadlessHost, options: HeadlessOptions): Promise<TurnOutcome> {
  const { cwd, prompts, signal, write } = options
  const agent = await host.agents.create({ cwd })
  const writeEvent = (event: SessionEvent) => write(`${JSON.stringify(event)}\n`)
  for (const event of agent.session.events) writeEvent(event)
  // Until the log is sealed: jobs that end with the agent are told, too.
  agent.session.onEvent(writeEvent)
  try {
    let outcome: TurnOutcome = { kind: 'completed', text: '' }
    for (const prompt of prompts) {
      outcome = await host.agentLoop.run(agent, prompt, { signal })
      if (outcome.kind !== 'completed') break
    }
    return outcome
  } finally {
    await agent.dispose()
    options.onEnded?.(agent.session.events)
  }
}
