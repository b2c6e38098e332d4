/** A turn: model steps and tool calls until the model stops calling. */
import type { Agent } from '@agent-terminals/agents/contract'
import type { ToolsService } from '@agent-terminals/tools/contract'
import type { LanguageModel } from 'ai'
import type { Config } from './config.js'
import type { RunOptions, TurnOutcome } from './contract.js'
import { TurnError } from './errors.js'
import { rebuildMessages } from './messages.js'
import { askModel, describeTools, type ModelAnswer, renderSystem } from './step.js'

export interface LoopParts {
  readonly tools: ToolsService
  readonly config: Pick<Config, 'system' | 'maxSteps' | 'maxRetries'>
  readonly createModel: (agent: Agent) => LanguageModel
}

/** Some endpoints number their calls anew in every answer; ours must name one call in the whole session. */
function mintCallId(agent: Agent, proposed: string): string {
  const taken = new Set(
    agent.session.events.flatMap((event) =>
      event.type === 'tool/call' ? [(event.data as { readonly callId: string }).callId] : [],
    ),
  )
  let callId = proposed
  for (let n = 2; taken.has(callId); n++) callId = `${proposed}-${n}`
  return callId
}

type TurnOptions = RunOptions & { readonly signal: AbortSignal }

async function runSteps(parts: LoopParts, agent: Agent, options: TurnOptions) {
  const { signal, onText = () => {}, onProgress } = options
  const { tools, config } = parts
  const model = parts.createModel(agent)
  for (let step = 0; step < config.maxSteps; step++) {
    const request = {
      model,
      system: renderSystem(config.system, tools),
      messages: rebuildMessages(agent.session.events),
      tools: describeTools(tools),
      maxRetries: config.maxRetries,
      signal,
    }
    const answer = await keepWhatWasSaid(agent, (hear) =>
      askModel({
        ...request,
        onText: (delta) => {
          hear(delta)
          onText(delta)
        },
      }),
    )
    agent.session.append('model/usage', answer.usage)
    if (answer.text) agent.session.append('message/agent', { text: answer.text })
    if (answer.calls.length === 0) return { kind: 'completed', text: answer.text } as const
    for (const call of answer.calls) {
      const callId = mintCallId(agent, call.callId)
      await tools.execute({
        agent,
        name: call.tool,
        args: call.args,
        callId,
        signal,
        ...(onProgress ? { onProgress: (progress) => onProgress(callId, progress) } : {}),
      })
    }
  }
  return { kind: 'step-limit', steps: config.maxSteps } as const
}

/** Text of an answer that breaks off has been shown: the log has it too, so that a person and the model remember the same. */
async function keepWhatWasSaid(
  agent: Agent,
  ask: (hear: (delta: string) => void) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  let said = ''
  try {
    return await ask((delta) => {
      said += delta
    })
  } catch (error) {
    if (said !== '' && agent.alive) agent.session.append('message/agent', { text: said })
    throw error
  }
}

/** Run one prompt. The log gets the prompt first and the outcome last, whatever happens in between. */
export async function runTurn(
  parts: LoopParts,
  agent: Agent,
  prompt: string,
  options: TurnOptions,
): Promise<TurnOutcome> {
  const { signal } = options
  agent.session.append('message/user', { text: prompt })
  let outcome: TurnOutcome
  try {
    signal.throwIfAborted()
    outcome = await runSteps(parts, agent, options)
  } catch (error) {
    if (signal.aborted) outcome = { kind: 'cancelled' }
    else if (error instanceof TurnError) outcome = { kind: 'failed', code: error.code, message: error.message }
    else outcome = { kind: 'failed', code: 'INTERNAL', message: String(error) }
  }
  if (agent.alive) agent.session.append('turn/ended', { outcome })
  return outcome
}
