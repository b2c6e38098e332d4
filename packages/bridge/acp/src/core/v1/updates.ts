/** The part of ACP v1 `session/update` that tool calls need. Mutable lists, as the SDK's own types have them. */
import type { ToolKind } from '../call-event.js'

export type ToolContent =
  | { type: 'content'; content: { type: 'text'; text: string } }
  | { type: 'terminal'; terminalId: string }

export type ToolStatus = 'pending' | 'in_progress' | 'completed' | 'failed'

export interface ToolCallMessage {
  sessionUpdate: 'tool_call'
  toolCallId: string
  title: string
  kind: ToolKind
  status: ToolStatus
  rawInput?: unknown
  content?: ToolContent[]
  _meta?: { [key: string]: unknown }
}

export interface ToolCallUpdateMessage {
  sessionUpdate: 'tool_call_update'
  toolCallId: string
  status?: ToolStatus
  content?: ToolContent[]
  _meta?: { [key: string]: unknown }
}

export type ToolMessage = ToolCallMessage | ToolCallUpdateMessage
