/** A foreground send: the call lasts as long as the send, and cancelling the call cancels the send. */
import { type SendResult, TerminalError } from '@agent-terminals/terminal'
import type { ToolExecution, ToolResult } from '@agent-terminals/tools/contract'
import { type CancelledSend, cancelledFacts, renderReason } from './result/cancelled.js'
import { cleanLine, cleanText } from './result/clean.js'
import { composeText } from './result/compose.js'
import { screenData, screenFact, screenText } from './result/screen.js'
import { sendFacts } from './result/send.js'
import { type SendArguments, submits, typedText } from './tools/send-schema.js'
import { asSessionId, findRemaining, findSession, reply, type Toolkit } from './tools/toolkit.js'

/** @throws the caller's own reason when the call was cancelled, once the interruption has been delivered. */
export async function sendInForeground(kit: Toolkit, args: SendArguments, exec: ToolExecution): Promise<ToolResult> {
  const id = asSessionId(args.sessionId)
  const previousCwd = findSession(kit, exec.agent, id)?.cwd
  const send = kit.terminals.send(exec.agent, id, {
    text: typedText(args),
    submit: submits(args),
    ...(args.keys === undefined ? {} : { keys: args.keys }),
    ...(args.waitFor === undefined ? {} : { waitFor: { pattern: args.waitFor, isRegex: args.regex ?? false } }),
    ...(args.timeoutMs === undefined ? {} : { timeoutMs: args.timeoutMs }),
    signal: exec.signal,
    toolCallId: exec.callId,
    onOutput: (text) => exec.progress({ kind: 'output', text }),
  })
  const outcome = await send.outcome
  switch (outcome.kind) {
    case 'settled':
      return await settledResult(kit, args, exec, outcome.result, previousCwd)
    case 'failed':
      throw outcome.error
    case 'cancelled':
      if (exec.signal.aborted) throw exec.signal.reason
      return cancelledResult(kit, args, outcome)
  }
}

async function settledResult(
  kit: Toolkit,
  args: SendArguments,
  exec: ToolExecution,
  result: SendResult,
  previousCwd: string | undefined,
): Promise<ToolResult> {
  const remaining = result.state === 'ended' ? await findRemaining(kit, exec.agent, args.sessionId) : []
  const facts = sendFacts(result, {
    remaining,
    canRunInBackground: kit.config.enableRunInBackground && kit.findJobs() !== undefined,
    isClaimedByClient: findSession(kit, exec.agent, args.sessionId)?.claim.kind === 'client',
    ...(previousCwd === undefined ? {} : { previousCwd }),
  })
  const { viewport, truncated, notes, screen: shown, matched, ...rest } = result
  const screen = kit.config.features.screen ? shown : undefined
  const body = screen ? screenText(screen) : bodyOf(viewport.text)
  return reply(kit, body, screen ? [screenFact(screen), ...facts] : facts, (text, isCut) => ({
    sessionId: args.sessionId,
    text,
    truncated: truncated || isCut,
    ...rest,
    ...(viewport.omittedBytes > 0 ? { omittedLines: viewport.omittedLines, omittedBytes: viewport.omittedBytes } : {}),
    ...(remaining.length > 0 ? { remaining } : {}),
    ...(screen ? { screen: screenData(screen) } : {}),
    ...(matched === undefined ? {} : { matched: cleanLine(matched, 1_024) }),
    ...(notes.length > 0 ? { notes: notes.map((note) => cleanLine(note, 400)) } : {}),
  }))
}

/** Nothing but empty lines, such as those that a program leaves at its end, is as good as no output: a fact says so. */
function bodyOf(text: string): string {
  const clean = cleanText(text)
  return clean.trim() === '' ? '' : clean
}

/** Ended by somebody else, for example because the terminal is being closed: an error that keeps the output so far. */
function cancelledResult(kit: Toolkit, args: SendArguments, send: CancelledSend): ToolResult {
  const code = send.reason instanceof TerminalError ? send.reason.code : 'SEND_CANCELLED'
  const facts = [
    ...cancelledFacts(`cancelled: ${renderReason(send.reason)}`, send.interruption, send.sessionStatus),
    { text: `error ${code}` },
  ]
  const { text, body } = composeText(bodyOf(send.viewport.text), facts, kit.config.maxResultBytes)
  return {
    content: [{ type: 'text', text }],
    structured: { sessionId: args.sessionId, text: body, sessionStatus: send.sessionStatus },
    isError: true,
    code,
  }
}
