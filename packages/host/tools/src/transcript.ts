/** What a model was given, rebuilt from the session log alone. */
import type { SessionEvent, SessionEventMap, SessionEventType } from '@agent-terminals/agents/contract'
import type { ToolResult } from './contract.js'

export type TranscriptEntry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'agent'; readonly text: string }
  | { readonly kind: 'call'; readonly callId: string; readonly tool: string; readonly args: unknown }
  | { readonly kind: 'result'; readonly callId: string; readonly tool: string; readonly result: ToolResult }
  | { readonly kind: 'notice'; readonly type: SessionEventType; readonly text: string }

/** How events of other packages read to a model. An event without an entry here, or with no text, did not reach it. */
export type NoticeReaders = {
  readonly [Type in SessionEventType]?: (data: SessionEventMap[Type]) => string | undefined
}

/**
 * The messages, calls and results of a session in their order. Progress is left out: it is for people. Works on events
 * read back from text as well as on live ones.
 */
export function rebuildTranscript(
  events: readonly SessionEvent[],
  notices: NoticeReaders = {},
): readonly TranscriptEntry[] {
  return events.flatMap((event): TranscriptEntry[] => {
    if (isType(event, 'message/user')) return [{ kind: 'user', text: event.data.text }]
    if (isType(event, 'message/agent')) return [{ kind: 'agent', text: event.data.text }]
    if (isType(event, 'tool/call')) {
      const { callId, tool, args } = event.data
      return [{ kind: 'call', callId, tool, args }]
    }
    if (isType(event, 'tool/result')) {
      const { callId, tool, result } = event.data
      return [{ kind: 'result', callId, tool, result }]
    }
    const text = readNotice(event, notices)
    return text === undefined ? [] : [{ kind: 'notice', type: event.type, text }]
  })
}

function isType<Type extends SessionEventType>(event: SessionEvent, type: Type): event is SessionEvent<Type> {
  return event.type === type
}

function readNotice<Type extends SessionEventType>(
  event: SessionEvent<Type>,
  notices: NoticeReaders,
): string | undefined {
  const read = notices[event.type] as ((data: SessionEventMap[Type]) => string | undefined) | undefined
  return read?.(event.data)
}
