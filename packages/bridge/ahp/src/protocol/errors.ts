/** JSON-RPC error codes of the protocol. Sheet §14. */
export const AHP_ERRORS = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  SessionNotFound: -32001,
  UnsupportedProtocolVersion: -32005,
  AuthRequired: -32007,
  NotFound: -32008,
  PermissionDenied: -32009,
  AlreadyExists: -32010,
} as const
export type AhpErrorName = keyof typeof AHP_ERRORS

/** A refusal that travels as a JSON-RPC error. Codes that are not listed above are kept as they are. */
export class AhpError extends Error {
  override readonly name = 'AhpError'

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }

  static of(name: AhpErrorName, message: string, data?: unknown): AhpError {
    return new AhpError(AHP_ERRORS[name], message, data)
  }
}

/** Whether the peer says that a channel or client does not exist. Hosts differ in the code (sheet §5.3). */
export function isNotFound(error: unknown): boolean {
  return error instanceof AhpError && (error.code === AHP_ERRORS.NotFound || error.code === AHP_ERRORS.SessionNotFound)
}

/** Why an action was refused. Stable sentences, so that people and tests can rely on them. Sheet §10. */
export const REJECTIONS = {
  claimedByOther: 'claimed by another client',
  inToolCall: 'in use by a running tool call',
  exited: 'process has exited',
  notClientAction: 'not a client action',
  invalidPayload: 'invalid payload',
  tooLong: 'input is too long',
  ownerGone: 'the session has ended',
  failed: 'the terminal did not accept it',
} as const
