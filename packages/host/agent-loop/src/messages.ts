/** The conversation as the model sees it, rebuilt from the session log alone. Pure. */
import type { SessionEvent } from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/jobs/contract'
import { joinBlocks } from '@agent-terminals/text'
import type { ToolResult } from '@agent-terminals/tools/contract'
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]

/** One answer of the model with the results of its calls. Some endpoints refuse an answer that is told in several messages. */
interface Answer {
  readonly parts: AssistantPart[]
  readonly results: ToolModelMessage[]
  /** What came meanwhile: nothing may stand between calls and their results. */
  readonly notices: ModelMessage[]
}

const openAnswer = (): Answer => ({ parts: [], results: [], notices: [] })

function tellAnswer({ parts, results, notices }: Answer): readonly ModelMessage[] {
  const [first, ...others] = parts
  if (first === undefined) return notices
  const content = first.type === 'text' && others.length === 0 ? first.text : parts
  return [{ role: 'assistant', content }, ...results, ...notices]
}

function toolMessage(callId: string, tool: string, result: ToolResult): ToolModelMessage {
  const value = joinBlocks(result.content)
  const output = result.isError ? ({ type: 'error-text', value } as const) : ({ type: 'text', value } as const)
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: callId, toolName: tool, output }] }
}

const INTERRUPTED: ToolResult = {
  content: [{ type: 'text', text: 'The call was interrupted; it has no result.' }],
  isError: true,
}

/** What happened outside of the conversation and the model must hear of. */
function isNotice(event: SessionEvent): event is SessionEvent<'job/settled' | 'job/waiting'> {
  return event.type === 'job/settled' || event.type === 'job/waiting'
}

/** Every call is followed by its answer: endpoints refuse a conversation with an open call. */
export function rebuildMessages(events: readonly SessionEvent[]): ModelMessage[] {
  const answers = new Map(
    events
      .filter((event): event is SessionEvent<'tool/result'> => event.type === 'tool/result')
      .map(({ data }) => [data.callId, data.result]),
  )
  const messages: ModelMessage[] = []
  let answer = openAnswer()
  const closeAnswer = () => {
    messages.push(...tellAnswer(answer))
    answer = openAnswer()
  }
  for (const event of events) {
    if (event.type === 'message/user') {
      closeAnswer()
      messages.push({ role: 'user', content: (event as SessionEvent<'message/user'>).data.text })
    } else if (event.type === 'model/usage' || event.type === 'turn/ended') {
      // Each answer begins with what it cost; one that broke off ends with its turn.
      closeAnswer()
    } else if (event.type === 'message/agent') {
      // Words come before calls: behind them they are those of the next answer, which broke off before its cost was known.
      if (answer.results.length > 0) closeAnswer()
      answer.parts.push({ type: 'text', text: (event as SessionEvent<'message/agent'>).data.text })
    } else if (event.type === 'tool/call') {
      const { callId, tool, args } = (event as SessionEvent<'tool/call'>).data
      answer.parts.push({ type: 'tool-call', toolCallId: callId, toolName: tool, input: args })
      answer.results.push(toolMessage(callId, tool, answers.get(callId) ?? INTERRUPTED))
    } else if (isNotice(event)) {
      answer.notices.push({ role: 'user', content: `[notice] ${event.data.text}` })
    }
  }
  closeAnswer()
  return messages
}
