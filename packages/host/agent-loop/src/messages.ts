/** The conversation as the model sees it, rebuilt from the session log alone. Pure. */
import type { SessionEvent } from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/jobs/contract'
import type { ToolResult } from '@agent-terminals/tools/contract'
import type { ModelMessage } from 'ai'
import { renderResultText } from './script/expectation.js'

function toolMessage(callId: string, tool: string, result: ToolResult): ModelMessage {
  const value = renderResultText(result)
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
  for (const event of events) {
    if (event.type === 'message/user') {
      messages.push({ role: 'user', content: (event as SessionEvent<'message/user'>).data.text })
    } else if (event.type === 'message/agent') {
      messages.push({ role: 'assistant', content: (event as SessionEvent<'message/agent'>).data.text })
    } else if (event.type === 'tool/call') {
      const { callId, tool, args } = (event as SessionEvent<'tool/call'>).data
      messages.push({
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: callId, toolName: tool, input: args }],
      })
      messages.push(toolMessage(callId, tool, answers.get(callId) ?? INTERRUPTED))
    } else if (isNotice(event)) {
      messages.push({ role: 'user', content: `[notice] ${event.data.text}` })
    }
  }
  return messages
}
