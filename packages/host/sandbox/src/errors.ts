import type { SandboxErrorCode } from './contract.js'

/** What the codes of sandbox failures mean. */
export const SANDBOX_ERRORS: Readonly<Record<SandboxErrorCode, string>> = {
  MODE_INVALID: 'The sandbox mode is not one of the known ones.',
  MODE_IN_USE: 'The effective mode or workspace cannot change while terminals of the session are open or being opened.',
  WORKSPACE_INVALID: 'The workspace of a session is not an existing directory inside the workspace root in force.',
  CWD_HIDDEN: 'The directory to start in does not exist inside the confinement.',
  NO_RUNNER: 'No sandbox runner that works here can provide the mode.',
}

/** A failure with a code to branch on and a message that says what to do next. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'

  constructor(
    readonly code: SandboxErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
  }
}
