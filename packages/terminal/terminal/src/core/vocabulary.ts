/** Words shared by the pure core and the public contract. */

/** How a terminal's top-level process ended. */
export type ExitStatus =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'signalled'; readonly signal: string }

/** Life of the top-level process, not of the command it runs. */
export type SessionStatus = { readonly kind: 'running' } | ExitStatus

/** Who holds the keyboard. An owner's claim may be narrowed to one tool call while a send runs. */
export type TerminalClaim =
  | { readonly kind: 'owner'; readonly turnId?: string; readonly toolCallId?: string }
  | { readonly kind: 'client'; readonly clientId: string }

/** The tool call a send belongs to. */
export interface SendScope {
  readonly turnId?: string
  readonly toolCallId?: string
}
