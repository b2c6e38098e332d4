/** Failures of the start. Everything later fails with the `TerminalError` of the terminals themselves. */
export const EMBED_ERRORS = {
  OPTIONS_INVALID: 'An option is unknown or has a value it cannot have; the message names it.',
  START_FAILED: 'A part could not start here; the message says which and why. Nothing is left running.',
} as const
export type EmbedErrorCode = keyof typeof EMBED_ERRORS

export class EmbedError extends Error {
  override readonly name = 'EmbedError'
  readonly code: EmbedErrorCode

  constructor(code: EmbedErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
