/** The closed list of sandbox failures. */
export const SANDBOX_ERRORS = {
  MODE_INVALID: 'The sandbox mode is not one of the known ones.',
  MODE_IN_USE: 'The effective mode or workspace cannot change while terminals of the session are open or being opened.',
  WORKSPACE_INVALID: 'The workspace of a session is not an existing directory inside the workspace root in force.',
  CWD_HIDDEN: 'The directory to start in does not exist inside the confinement.',
  NO_RUNNER: 'No sandbox runner that works here can provide the mode.',
} as const
export type SandboxErrorCode = keyof typeof SANDBOX_ERRORS

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
