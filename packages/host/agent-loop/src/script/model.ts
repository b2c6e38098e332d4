/** A model that replays a script. It keeps no state: where it is follows from the session log. */
import type { SessionEvent, SessionLog } from '@agent-terminals/agents/contract'
import { joinBlocks } from '@agent-terminals/text'
import type { ToolResult } from '@agent-terminals/tools/contract'
import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { TurnError } from '../errors.js'
import { findMismatches } from './expectation.js'
import type { Script } from './format.js'
import { listCalls, type PlannedStep, type Position, planStep } from './plan.js'
import { resolveReferences } from './references.js'

const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/** Count where a conversation is, by the log: prompts so far, and calls answered since the last one. */
export function locate(events: readonly SessionEvent[]): Position {
  const prompt = events.filter((event) => event.type === 'message/user').length
  const lastPrompt = events.findLastIndex((event) => event.type === 'message/user')
  const answeredCalls = events.slice(lastPrompt + 1).filter((event) => event.type === 'tool/result').length
  return { prompt, answeredCalls }
}

function findResult(session: SessionLog, callId: string): ToolResult | undefined {
  const event = session.events.findLast(
    (each) => each.type === 'tool/result' && (each.data as { readonly callId: string }).callId === callId,
  )
  return (event?.data as { readonly result: ToolResult } | undefined)?.result
}

/** @throws TurnError `SCRIPT_MISMATCH` naming the first call whose result is not as expected. */
function checkResults(script: Script, session: SessionLog): void {
  for (const call of listCalls(script)) {
    const result = call.expect && findResult(session, call.callId)
    if (!call.expect || !result) continue
    const mismatches = findMismatches(result, call.expect)
    if (mismatches.length === 0) continue
    throw new TurnError(
      'SCRIPT_MISMATCH',
      `${call.callId} (${call.tool}): ${mismatches.join('; ')}. The result was:\n${joinBlocks(result.content)}`,
    )
  }
}

function renderParts(step: PlannedStep, argsOf: (args: unknown) => unknown): LanguageModelV3StreamPart[] {
  const text: LanguageModelV3StreamPart[] = step.text
    ? [
        { type: 'text-start', id: 'text' },
        { type: 'text-delta', id: 'text', delta: step.text },
        { type: 'text-end', id: 'text' },
      ]
    : []
  const calls: LanguageModelV3StreamPart[] =
    step.kind === 'calls'
      ? step.calls.map((call) => ({
          type: 'tool-call',
          toolCallId: call.callId,
          toolName: call.tool,
          input: JSON.stringify(argsOf(call.args)),
        }))
      : []
  const unified = step.kind === 'calls' ? 'tool-calls' : 'stop'
  return [
    { type: 'stream-start', warnings: [] },
    ...text,
    ...calls,
    { type: 'finish', usage: NO_USAGE, finishReason: { unified, raw: undefined } },
  ]
}

export function createScriptedModel(script: Script, session: SessionLog): LanguageModelV3 {
  const named = new Map(listCalls(script).flatMap((call) => (call.as ? [[call.as, call.callId] as const] : [])))
  const lookUp = (name: string) => {
    const callId = named.get(name)
    return callId === undefined ? undefined : findResult(session, callId)?.structured
  }
  return {
    specificationVersion: 'v3',
    provider: 'agent-terminals',
    modelId: 'script',
    supportedUrls: {},
    async doGenerate() {
      throw new Error('the scripted model only streams')
    },
    async doStream() {
      checkResults(script, session)
      const step = planStep(script, locate(session.events))
      const parts = renderParts(step, (args) => resolveReferences(args, lookUp))
      return { stream: ReadableStream.from(parts) as ReadableStream<LanguageModelV3StreamPart> }
    },
  }
}
