import type { BackendEvent, PromptDetection } from '@agent-terminals/terminal'
import {
  type Fact,
  joinBytes,
  type ModeChange,
  type OutputSink,
  type PromptPhase,
  parseShellMark,
  readShownCommand,
  type ShellEvent,
  type ShellMark,
  type ShellSeen,
  type StartFact,
  type TerminalOutput,
  type TerminalQuery,
} from '../core/index.js'
import type { Clock } from './clock.js'
import type { ScreenKeeper } from './screen/keeper.js'
import type { ShellRecord } from './shell-record.js'

/** Longest command, in lines, that is read back from the screen. */
const SHOWN_COMMAND_LINES = 64

/** Who follows the output of a terminal for a while: a start, a send, a cancellation. */
export interface StreamFollower {
  onFact(fact: Fact): void
  /** Called within the stream, so that what follows the event is not handled yet. */
  onShellEvent?(event: ShellEvent): void
  /** Bytes as they pass, between the events that enclose them. Called within the stream: only to be taken note of. */
  onRaw?(bytes: Uint8Array): void
  /** A chunk has been handled: what has been noted may be told. */
  onChunkEnd?(): void
}

export interface StreamOptions {
  readonly output: TerminalOutput
  readonly record: ShellRecord
  readonly screen: ScreenKeeper
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
  cursorHidden: boolean
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
    cursorHidden: false,
    title: undefined,
  }
  lastOutputAt: number
  private follower: StreamFollower | undefined
  private readonly sink: OutputSink
  private raw: Uint8Array[] = []
  /** Whether the chunk being handled holds anything but marks. */
  private hasShown = false
  private leaving: 'no' | 'announced' | 'acknowledged' = 'no'
  /** The prompt's last line, as the line editor found it. */
  private shownPrompt = ''

  constructor(private readonly options: StreamOptions) {
    this.lastOutputAt = options.clock.now()
    this.sink = {
      raw: (bytes) => this.raw.push(bytes),
      mark: (mark) => this.handleMark(mark),
      title: (title) => this.handleTitle(title),
      mode: (change) => this.handleMode(change),
      query: (query) => this.handleQuery(query),
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

  /** @param chunk - borrowed, as is what is passed on of it. */
  handleChunk(chunk: Uint8Array): void {
    this.handleShown(this.leaving === 'acknowledged' ? withoutEcho(chunk) : chunk)
    if (this.leaving !== 'announced') return
    this.leaving = 'acknowledged'
    this.options.onExiting()
  }

  private handleShown(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    const { clock, output } = this.options
    const at = clock.now()
    this.hasShown = false
    const summary = output.feed(chunk, this.sink)
    this.passRaw()
    this.lastOutputAt = at
    this.follower?.onChunkEnd?.()
    // Marks alone show nothing, and must not look like output.
    if (this.hasShown) this.follower?.onFact({ type: 'output', at, ...summary })
  }

  /** Text has been typed at the shell's prompt, Enter included in what it means. */
  handleTyped(text: string): void {
    for (const change of this.options.record.handle({ kind: 'typed', text }, this.options.clock.now())) {
      this.options.emit(change)
    }
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

  /** Observers get output and events in the order of the stream, so what came before an event goes before it. */
  private passRaw(): void {
    const raw = joinBytes(this.raw)
    if (raw.length === 0) return
    this.raw = []
    this.hasShown = true
    this.options.screen.handleRaw(raw)
    this.follower?.onRaw?.(raw)
    this.options.emit({ type: 'data', bytes: raw })
  }

  private handleMark(mark: ShellMark): void {
    this.passRaw()
    const event = parseShellMark(mark)
    if (!event) return
    const at = this.options.clock.now()
    const changes = this.options.record.handle(event, at)
    for (const change of changes) this.options.emit(this.withShownCommand(change))
    if (event.kind === 'prompt-end') this.shownPrompt = this.options.output.currentLine()
    if (event.kind === 'exiting') this.leaving = 'announced'
    if (event.kind === 'prompt-start') {
      this.modes.addressing = false
      this.modes.cursorHidden = false
      this.options.screen.handlePrompt()
    }
    this.follower?.onShellEvent?.(event)
    const isAnswered = this.options.onShellEvent(event)
    const seen = this.toShellSeen(event, isAnswered)
    if (seen) this.follower?.onFact({ type: 'shell', at, event: seen })
  }

  /** The line of a command that somebody typed key by key is known from the screen only. */
  private withShownCommand(change: BackendEvent): BackendEvent {
    if (change.type !== 'command-executed' || change.commandLine !== '') return change
    const { text } = this.options.output.page({ lines: SHOWN_COMMAND_LINES })
    const commandLine = readShownCommand(this.shownPrompt, text.split('\n'))
    return commandLine === undefined ? change : { ...change, commandLine }
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

  /** The answer hangs on what came before, and on nothing that comes after. */
  private handleQuery(query: TerminalQuery): void {
    this.passRaw()
    this.options.onQuery(query)
  }

  private handleTitle(title: string): void {
    this.modes.title = title
    this.options.emit({ type: 'title-changed', title })
  }

  private handleMode(change: ModeChange): void {
    this.passRaw()
    this.options.screen.handleMode(change)
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
      case 'cursor-hidden':
        this.modes.cursorHidden = change.on
        return change.mode
      case 'application-keypad':
      case 'screen-cleared':
        return undefined
    }
  }
}

/** How the kernel shows the acknowledgement (ECHOCTL, termios(3)) when it comes before the leaving shell has switched echo off. */
const ACKNOWLEDGEMENT_ECHO = [0x5e, 0x46]

function withoutEcho(chunk: Uint8Array): Uint8Array {
  return ACKNOWLEDGEMENT_ECHO.every((byte, at) => chunk[at] === byte)
    ? chunk.subarray(ACKNOWLEDGEMENT_ECHO.length)
    : chunk
}

type StartMode = 'alternateScreen' | 'bracketedPaste' | 'addressing' | 'keypad' | 'cursorHidden'

/** What evidence starts from: the modes as they are before anything is written. */
export function startModes({ modes }: Pick<OutputStream, 'modes'>): Required<Pick<StartFact, StartMode>> {
  const { alternateScreen, bracketedPaste, addressing, keypad, cursorHidden } = modes
  return { alternateScreen, bracketedPaste, addressing, keypad, cursorHidden }
}
