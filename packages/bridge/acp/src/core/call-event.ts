/** What happens to a tool call, without any protocol: writers turn it into messages. Sheet §9, "one internal event model". */

/** How a command ended. Both null: it did not, or nobody knows. */
export interface Exit {
  readonly exitCode: number | null
  readonly signal: string | null
}

export type ToolKind = 'execute' | 'read' | 'delete' | 'other'

export interface Announcement {
  readonly callId: string
  /** The command itself for terminals, a short sentence for the rest. Never empty. */
  readonly title: string
  readonly toolKind: ToolKind
  readonly rawInput: unknown
  /** Present when the call runs in a terminal. */
  readonly terminal?: { readonly cwd?: string }
  /** The client is asked before the call runs. */
  readonly isPending: boolean
}

/** How a call ended. */
export interface Ending {
  readonly status: 'completed' | 'failed'
  readonly exit: Exit
  /** Lines of ours about an end that output does not tell: refused, cancelled, out of time. */
  readonly notice?: string
  /** Output that has not been streamed, such as an error. */
  readonly unstreamed?: string
  /** The whole output as plain text, for clients without terminals. */
  readonly text: string
}

export type CallEvent =
  | ({ readonly kind: 'announced' } & Announcement)
  /** The client has allowed the call. */
  | { readonly kind: 'permitted' }
  /** Raw terminal text, any split of the stream. */
  | { readonly kind: 'output'; readonly text: string }
  /** The call has its result while its program goes on: a background send. */
  | { readonly kind: 'handed-over'; readonly text: string }
  | { readonly kind: 'concluded'; readonly ending: Ending }
  /** The program behind a call that was handed over has ended. */
  | { readonly kind: 'exited'; readonly exit: Exit; readonly notice?: string }
