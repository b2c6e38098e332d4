/** What our bash says about itself, read from its authenticated marks. docs/shell-integration.md lists the marks. */

/** A private mark in the output, already authenticated by the session's nonce. */
export interface AuthenticatedMark {
  readonly kind: string
  readonly payload: string
}

export type ShellEvent =
  /** The primary prompt begins. `exitCode` is `$?` at that moment, `line` the number of input lines the shell has read. */
  | {
      readonly kind: 'prompt-start'
      readonly exitCode: number | undefined
      readonly line: number | undefined
      /** Whether every command's start is told. Old bash does not tell it for a command in parentheses. */
      readonly startsTold: boolean
      /** Whether prompts and the line editor are drawn on this terminal. Then they and `PS0` carry the marks that belong to them. */
      readonly editorSeen: boolean
    }
  /** The primary prompt is complete: the line editor listens. */
  | { readonly kind: 'prompt-end' }
  /** The secondary prompt: the input so far is an unfinished command. */
  | { readonly kind: 'continuation' }
  /**
   * A command was read and now runs. `line` counts the input lines read so far, the command's own last line included.
   * `previousExitCode` is `$?` before it: the code of the command before it in one paste, whose end is not told.
   */
  | {
      readonly kind: 'command-start'
      readonly line: number | undefined
      readonly previousExitCode: number | undefined
    }
  | { readonly kind: 'command-end'; readonly exitCode: number | undefined }
  | { readonly kind: 'cwd'; readonly cwd: string }
  /** The user's rc files begin to run; the first prompt ends them. */
  | { readonly kind: 'user-rc' }
  /** The shell leaves and waits, bounded, for `EXIT_ACKNOWLEDGEMENT`. Everything it printed comes before this. */
  | { readonly kind: 'exiting'; readonly exitCode: number | undefined }

/** The byte that tells a leaving shell that all of its output has been read. */
export const EXIT_ACKNOWLEDGEMENT = '\x06'
