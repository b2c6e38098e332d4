/** One step: ask the model once, and gather what it says and which tools it calls. */
import type { ToolsService } from '@agent-terminals/tools/contract'
import { jsonSchema, type LanguageModel, type ModelMessage, streamText, type ToolSet, tool } from 'ai'
import { classifyModelError } from './errors.js'

export interface ModelCall {
  readonly callId: string
  readonly tool: string
  readonly args: unknown
}

export interface ModelAnswer {
  readonly text: string
  readonly calls: readonly ModelCall[]
  readonly usage: { readonly inputTokens: number | null; readonly outputTokens: number | null }
}

/** Tools without `execute`: the SDK hands the calls over, and the loop runs them one after another. */
export function describeTools(tools: ToolsService): ToolSet {
  return Object.fromEntries(
    tools
      .list()
      .map(({ name, description }) => [name, tool({ description, inputSchema: jsonSchema(tools.inputSchema(name)) })]),
  )
}

export function renderSystem(system: string, tools: ToolsService): string {
  return [system, ...tools.guidance().map(({ title, text }) => `## ${title}\n\n${text}`)].join('\n\n')
}

export interface AskOptions {
  readonly model: LanguageModel
  readonly system: string
  readonly messages: ModelMessage[]
  readonly tools: ToolSet
  readonly maxRetries: number
  readonly signal: AbortSignal
  readonly onText: (delta: string) => void
}

/**
 * @throws TurnError for whatever the endpoint did wrong.
 * @throws the signal's reason when it is aborted.
 */
export async function askModel(options: AskOptions): Promise<ModelAnswer> {
  const { signal, onText, ...request } = options
  let text = ''
  const calls: ModelCall[] = []
  let usage: ModelAnswer['usage'] = { inputTokens: null, outputTokens: null }
  try {
    const { fullStream } = streamText({
      ...request,
      abortSignal: signal,
      // Errors arrive in the stream; the SDK would print them as well.
      onError: () => {},
    })
    for await (const part of fullStream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'text-delta') {
        text += part.text
        onText(part.text)
      } else if (part.type === 'tool-call') {
        calls.push({ callId: part.toolCallId, tool: part.toolName, args: part.input })
      } else if (part.type === 'finish-step') {
        usage = {
          inputTokens: part.usage.inputTokens ?? null,
          outputTokens: part.usage.outputTokens ?? null,
        }
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    throw classifyModelError(error)
  }
  signal.throwIfAborted()
  return { text, calls, usage }
}
