import type { BackendEvent, PromptDetection } from '@agent-terminals/terminal'
import {
  type Fact,
  type ModeChange,
  type OutputSink,
  type PromptPhase,
  parseShellMark,
  type ShellEvent,
  type ShellMark,
  type ShellSeen,
  type TerminalOutput,
  type TerminalQuery,
} from '../core/index.js'
import type { Clock } from './clock.js'
import type { ShellRecord } from './shell-record.js'

/** Who follows the output of a terminal for a while: a start, a send, a cancellation. */
export interface StreamFollower {
  onFact(fact: Fact): void
  /** Called within the stream, so that what follows the event is not handled yet. */
  onShellEvent?(event: ShellEvent): void
  onRaw?(bytes: Uint8Array): void
}

export interface StreamOptions {
  readonly output: TerminalOutput
  readonly record: ShellRecord
  readonly clock: Clock
  readonly emit: (event: BackendEvent) => void
  /** The shell leaves and has been read up to here. */
  readonly onExiting: () => void
  readonly onQuery: (query: TerminalQuery) => void
  /** @returns whether the shell's prompt has been answered with input that was waiting for it. */
  readonly onShellEvent: (event: ShellEvent) => boolean
}

/** Modes that outlive a send. */
interface Modes {
  alternateScreen: boolean
  bracketedPaste: boolean
  /** The program in front has placed the cursor freely. Forgotten at the shell's prompt. */
  addressing: boolean
  keypad: boolean
  title: string | undefined
}

/**
 * One way for everything that comes out of a terminal: bytes go through the output side, and what they mean goes, in stream
 * order, to the record of the shell, to observers and to the follower.
 */
export class OutputStream {
  readonly modes: Modes = {
    alternateScreen: false,
    bracketedPaste: false,
    addressing: false,
    keypad: false,
    title: undefined,
  }
  lastOutputAt: number
  private follower: StreamFollower | undefined
  private readonly sink: OutputSink
  private raw: Uint8Array[] = []
  private isLeaving = false

  constructor(private readonly options: StreamOptions) {
    this.lastOutputAt = options.clock.now()
    this.sink = {
      raw: (bytes) => this.raw.push(bytes.slice()),
      mark: (mark) => this.handleMark(mark),
      title: (title) => this.handleTitle(title),
      mode: (change) => this.handleMode(change),
      query: (query) => options.onQuery(query),
    }
  }

  get phase(): PromptPhase {
    return this.options.record.phase
  }

  get promptDetection(): PromptDetection {
    return this.options.record.promptDetection
  }

  /** @returns a release, which ends nothing but this follower. */
  follow(follower: StreamFollower): () => void {
    this.follower = follower
    return () => {
      if (this.follower === follower) this.follower = undefined
    }
  }

  handleChunk(chunk: Uint8Array): void {
    const { clock, output } = this.options
    const at = clock.now()
    const summary = output.feed(chunk, this.sink)
    const raw = joinBytes(this.raw)
    this.raw = []
    this.lastOutputAt = at
    if (raw.length > 0) {
      this.follower?.onRaw?.(raw)
      this.options.emit({ type: 'data', bytes: raw })
    }
    // Marks alone show nothing, and must not look like output.
    if (raw.length > 0) this.follower?.onFact({ type: 'output', at, ...summary })
    if (this.isLeaving) {
      this.isLeaving = false
      this.options.onExiting()
    }
  }

  /** Text has been typed at the shell's prompt, Enter included in what it means. */
  handleTyped(text: string): void {
    this.options.record.handle({ kind: 'typed', text }, this.options.clock.now())
  }

  /** The shell listens, or has been replaced, and its marks do not say so. */
  handleMarksMissing(): void {
    for (const change of this.options.record.handle({ kind: 'marks-missing' }, this.options.clock.now())) {
      this.options.emit(change)
    }
  }

  handleExit(): void {
    this.follower?.onFact({ type: 'exit', at: this.options.clock.now() })
  }

  private handleMark(mark: ShellMark): void {
    const event = parseShellMark(mark)
    if (!event) return
    const at = this.options.clock.now()
    for (const change of this.options.record.handle(event, at)) this.options.emit(change)
    if (event.kind === 'exiting') this.isLeaving = true
    if (event.kind === 'prompt-start') this.modes.addressing = false
    this.follower?.onShellEvent?.(event)
    const isAnswered = this.options.onShellEvent(event)
    const seen = this.toShellSeen(event, isAnswered)
    if (seen) this.follower?.onFact({ type: 'shell', at, event: seen })
  }

  private toShellSeen(event: ShellEvent, isAnswered: boolean): ShellSeen | undefined {
    if (event.kind === 'cwd' || event.kind === 'user-rc') return undefined
    const exitCode = event.kind === 'command-end' ? event.exitCode : undefined
    return {
      mark: event.kind,
      phase: isAnswered ? 'fed' : this.phase,
      ...(exitCode === undefined ? {} : { exitCode }),
    }
  }

  private handleTitle(title: string): void {
    this.modes.title = title
    this.options.emit({ type: 'title-changed', title })
  }

  private handleMode(change: ModeChange): void {
    const mode = this.noteMode(change)
    if (mode) this.follower?.onFact({ type: 'mode', at: this.options.clock.now(), mode, on: change.on })
  }

  private noteMode(change: ModeChange): Extract<Fact, { type: 'mode' }>['mode'] | undefined {
    switch (change.mode) {
      case 'alternate-screen':
        this.modes.alternateScreen = change.on
        return change.mode
      case 'bracketed-paste':
        this.modes.bracketedPaste = change.on
        return change.mode
      case 'cursor-addressing':
        if (this.modes.addressing) return undefined
        this.modes.addressing = true
        return 'addressing'
      case 'application-cursor':
        this.modes.keypad = change.on
        return 'keypad'
      case 'application-keypad':
        return undefined
    }
  }
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [first, ...more] = parts
  if (!first) return new Uint8Array()
  if (more.length === 0) return first
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
