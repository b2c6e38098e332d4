/**
 * Cards as Zed draws them, rebuilt from messages alone. Sheet §5, columns "older" and "newer". Written from the sheet and from
 * nothing of the bridge: no rule here is known to it.
 */

export type Variant = 'older' | 'newer'

export interface WireUpdate {
  readonly sessionUpdate: string
  readonly toolCallId?: unknown
  readonly title?: unknown
  readonly kind?: unknown
  readonly status?: unknown
  readonly content?: unknown
  readonly rawInput?: unknown
  readonly rawOutput?: unknown
  readonly _meta?: Readonly<Record<string, unknown>> | null
}

interface Terminal {
  label: string
  cwd: string | undefined
  data: string
  exit: { readonly exitCode: number | undefined; readonly signal: string | undefined } | undefined
}

export interface Entry {
  readonly callId: string
  title: string
  kind: string
  status: string
  content: readonly Record<string, unknown>[]
  /** What the entry's card is bound to, resolved when `content` was taken. */
  terminals: readonly Terminal[]
}

/** What a person sees of one tool call. */
export interface View {
  readonly title: string
  readonly kind: string
  readonly status: string
  /** Present when a terminal is drawn: then nothing else of the content is. */
  readonly card?: {
    readonly label: string
    readonly header: string | undefined
    readonly text: string
    readonly failed: boolean
    readonly exit: Terminal['exit']
  }
  readonly texts: readonly string[]
}

const record = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined

export class Screen {
  readonly entries = new Map<string, Entry>()
  /** Updates that a reader would have refused, with the reason. */
  readonly refused: string[] = []
  private readonly terminals = new Map<string, Terminal>()
  private readonly early = new Map<string, ((terminal: Terminal) => void)[]>()

  constructor(private readonly variant: Variant) {}

  apply(update: WireUpdate): void {
    if (update.sessionUpdate === 'tool_call') {
      this.register(update)
      this.create(update)
    } else if (update.sessionUpdate === 'tool_call_update') {
      this.patch(update)
      this.feed(update)
    }
  }

  view(callId: string): View {
    const entry = this.entries.get(callId)
    if (!entry) throw new Error(`the client has no entry ${callId}`)
    const [terminal] = entry.terminals
    const texts = entry.content.flatMap((item) => {
      const text = record(item.content)?.text
      return item.type === 'content' && typeof text === 'string' ? [text] : []
    })
    const shared = { title: entry.title, kind: entry.kind, status: entry.status }
    if (!terminal) return { ...shared, texts }
    const { exit } = terminal
    const failedExit = exit !== undefined && ((exit.exitCode ?? 0) !== 0 || exit.signal !== undefined)
    return {
      ...shared,
      // "the text appears only in copy as markdown"
      texts: [],
      card: {
        label: terminal.label,
        header: terminal.cwd,
        text: terminal.data,
        failed: entry.status === 'failed' || (this.variant === 'newer' && failedExit),
        exit: this.variant === 'newer' ? exit : undefined,
      },
    }
  }

  private register(update: WireUpdate): void {
    const info = record(update._meta?.terminal_info)
    const id = info?.terminal_id
    if (typeof id !== 'string' || id === '') return
    if (this.terminals.has(id) && this.variant === 'newer') return
    const terminal: Terminal = {
      label: String(update.title),
      cwd: typeof info?.cwd === 'string' ? info.cwd : undefined,
      data: '',
      exit: undefined,
    }
    this.terminals.set(id, terminal)
    for (const replay of this.early.get(id) ?? []) replay(terminal)
    this.early.delete(id)
  }

  private create(update: WireUpdate): void {
    const callId = String(update.toolCallId)
    if (this.entries.has(callId)) {
      this.patch(update)
      return
    }
    const content = Array.isArray(update.content) ? update.content : []
    const terminals = this.resolve(content)
    if (!terminals) {
      this.refused.push(`${callId}: the entry names an unknown terminal`)
      return
    }
    this.entries.set(callId, {
      callId,
      title: String(update.title),
      kind: typeof update.kind === 'string' ? update.kind : 'other',
      status: typeof update.status === 'string' ? update.status : 'pending',
      content,
      terminals,
    })
  }

  private patch(update: WireUpdate): void {
    const callId = String(update.toolCallId)
    const entry = this.entries.get(callId)
    if (!entry) {
      this.refused.push(`${callId}: update of an unknown call`)
      return
    }
    const content = Array.isArray(update.content) ? update.content : undefined
    const terminals = content && this.resolve(content)
    if (content && !terminals) {
      this.refused.push(`${callId}: the update names an unknown terminal`)
      if (this.variant === 'newer' && typeof update.status === 'string') entry.status = update.status
      return
    }
    if (typeof update.status === 'string') entry.status = update.status
    if (typeof update.kind === 'string') entry.kind = update.kind
    if (typeof update.title === 'string') {
      entry.title = update.title
      for (const terminal of entry.terminals) terminal.label = update.title
    }
    if (content && terminals) {
      entry.content = content
      entry.terminals = terminals
    }
  }

  private feed(update: WireUpdate): void {
    const output = record(update._meta?.terminal_output)
    const exit = record(update._meta?.terminal_exit)
    if (typeof output?.terminal_id === 'string' && typeof output.data === 'string') {
      const { data } = output
      this.reach(output.terminal_id, (terminal) => {
        terminal.data += data
      })
    }
    if (typeof exit?.terminal_id === 'string') {
      const { exit_code, signal } = exit
      const isCode = typeof exit_code === 'number' && Number.isInteger(exit_code) && exit_code >= 0
      this.reach(exit.terminal_id, (terminal) => {
        terminal.exit ??= {
          exitCode: isCode ? exit_code : undefined,
          signal: typeof signal === 'string' ? signal : undefined,
        }
      })
    }
  }

  private reach(id: string, apply: (terminal: Terminal) => void): void {
    const terminal = this.terminals.get(id)
    if (terminal) apply(terminal)
    else this.early.set(id, [...(this.early.get(id) ?? []), apply])
  }

  private resolve(content: readonly unknown[]): readonly Terminal[] | undefined {
    const found: Terminal[] = []
    for (const item of content) {
      const { type, terminalId } = record(item) ?? {}
      if (type !== 'terminal') continue
      const terminal = typeof terminalId === 'string' ? this.terminals.get(terminalId) : undefined
      if (!terminal) return undefined
      found.push(terminal)
    }
    return found
  }
}
