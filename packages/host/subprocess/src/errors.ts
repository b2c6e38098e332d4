import type { SubprocessErrorCode } from './contract.js'

/** A failure with a code of the contract's closed list and a message that says what to do next. */
export class SubprocessError extends Error {
  override readonly name = 'SubprocessError'

  constructor(
    readonly code: SubprocessErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
  }
}
