/** What a command gets from the program around it. */
export interface CommandContext {
  /** Receives the exit code of the command that ran. */
  readonly exit: (code: number) => void
  readonly isVerbose: () => boolean
}
