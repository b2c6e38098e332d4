/** The closed list of failures of the MCP server, in one place. */
export const MCP_ERRORS = {
  ROOT_INVALID: 'The root is not an existing directory.',
  ROOT_OUTSIDE: 'The root is outside the workspace that the composition allows.',
  CONNECTION_CLOSED: 'The connection has ended.',
  LISTEN_FAILED: 'The HTTP endpoint could not listen on its address.',
} as const
export type McpErrorCode = keyof typeof MCP_ERRORS

/** A failure with a code to branch on and a message that says what to do next. */
export class McpBridgeError extends Error {
  override readonly name = 'McpBridgeError'

  constructor(
    readonly code: McpErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
  }
}

/** What a request is refused with. The SDK's own error puts a prefix before its message, and clients put the same before it again. */
export class RpcError extends Error {
  override readonly name = 'RpcError'

  constructor(
    readonly code: number,
    message: string,
    readonly data?: Readonly<Record<string, unknown>>,
  ) {
    super(message)
  }
}
