/** Single messages of the convention. Sheet §3: the terminal's id is the call's id, output and exit travel alone. */
import type { Announcement, Exit } from '../call-event.js'
import type { OutputKey } from '../gate.js'
import { renderTitle } from '../text/title.js'
import type { ToolCallMessage, ToolCallUpdateMessage, ToolStatus } from './updates.js'

export function announceCall(call: Announcement, status: ToolStatus = 'in_progress'): ToolCallMessage {
  return {
    sessionUpdate: 'tool_call',
    toolCallId: call.callId,
    title: renderTitle(call.title, 'Tool call'),
    kind: call.toolKind,
    status,
    ...(call.rawInput === undefined ? {} : { rawInput: call.rawInput }),
  }
}

export function registerCard(call: Announcement, status: ToolStatus = 'in_progress'): ToolCallMessage {
  const cwd = call.terminal?.cwd
  return {
    ...announceCall(call, status),
    content: [{ type: 'terminal', terminalId: call.callId }],
    _meta: { terminal_info: { terminal_id: call.callId, ...(cwd === undefined ? {} : { cwd }) } },
  }
}

export function appendOutput(callId: string, outputKey: OutputKey, data: string): ToolCallUpdateMessage {
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: callId,
    _meta: { [outputKey]: { terminal_id: callId, data } },
  }
}

/** @param status - absent for a program that outlived its call. */
export function endCard(callId: string, exit: Exit, status?: ToolStatus): ToolCallUpdateMessage {
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: callId,
    ...(status === undefined ? {} : { status }),
    _meta: {
      terminal_exit: { terminal_id: callId, exit_code: toExitCode(exit.exitCode), signal: exit.signal },
    },
  }
}

export function changeStatus(callId: string, status: ToolStatus, block?: string): ToolCallUpdateMessage {
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: callId,
    status,
    ...(block === undefined ? {} : { content: [{ type: 'content', content: { type: 'text', text: block } }] }),
  }
}

/** Readers take an unsigned integer of 32 bits. Windows reports some of these as negative numbers. Sheet §3.3, EXIT-2. */
export function toExitCode(code: number | null): number | null {
  if (code === null || !Number.isInteger(code) || code < -0x8000_0000 || code > 0xffff_ffff) return null
  return code >>> 0
}
