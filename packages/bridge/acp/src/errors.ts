/** Every request this bridge refuses, with the JSON-RPC code it answers and what to do next. */
import { RequestError } from '@agentclientprotocol/sdk'

export const ACP_ERRORS = {
  UNKNOWN_SESSION: 'No session of this connection has the id.',
  CWD_INVALID: 'The working directory is missing, relative or no directory.',
  TURN_ACTIVE: 'The session still works on its last prompt.',
  PROMPT_EMPTY: 'The prompt has no text.',
  CONTENT_UNSUPPORTED: 'The prompt has content of a kind the agent has not announced.',
  SESSION_LIVE: 'The session is open.',
  SESSION_NOT_KEPT: 'No session with the id has been kept.',
  TURN_FAILED: 'The turn failed; `data.reason` is the code of the agent loop.',
} as const
export type AcpErrorCode = keyof typeof ACP_ERRORS

/** `data.code` is ours to branch on; the message tells a person what to do. */
function refuse(rpcCode: number, code: AcpErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
  return new RequestError(rpcCode, message, { code, ...data })
}

const INVALID_REQUEST = -32600
const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
/** ACP v1, "resource not found". */
const NOT_FOUND = -32002

export const unknownSession = (sessionId: string) =>
  refuse(NOT_FOUND, 'UNKNOWN_SESSION', `There is no session ${sessionId}. Open one with session/new.`, { sessionId })

export const cwdInvalid = (cwd: string, why: string) =>
  refuse(INVALID_PARAMS, 'CWD_INVALID', `cwd ${JSON.stringify(cwd)}: ${why}`, { field: 'cwd' })

export const turnActive = (sessionId: string) =>
  refuse(
    INVALID_REQUEST,
    'TURN_ACTIVE',
    'The session still works on its last prompt. Wait for its answer, or send session/cancel.',
    { sessionId },
  )

export const promptEmpty = () =>
  refuse(INVALID_PARAMS, 'PROMPT_EMPTY', 'The prompt has no text. Send at least one text block.', { field: 'prompt' })

export const contentUnsupported = (type: string) =>
  refuse(
    INVALID_PARAMS,
    'CONTENT_UNSUPPORTED',
    `Content of type ${type} is not supported. Use text, resource_link or a text resource.`,
    { field: 'prompt' },
  )

export const sessionLive = (sessionId: string) =>
  refuse(
    INVALID_REQUEST,
    'SESSION_LIVE',
    `Session ${sessionId} is open. Use it, or close it before it is loaded again.`,
    { sessionId },
  )

export const sessionNotKept = (sessionId: string) =>
  refuse(NOT_FOUND, 'SESSION_NOT_KEPT', `No session ${sessionId} has been kept. Open one with session/new.`, {
    sessionId,
  })

export const turnFailed = (reason: string, message: string) =>
  refuse(INTERNAL_ERROR, 'TURN_FAILED', message, { reason })
