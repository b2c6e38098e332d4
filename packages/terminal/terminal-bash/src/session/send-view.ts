import type { SendRequest } from '@agent-terminals/terminal'
import type { Fact, ShellEvent, ViewportCollector, ViewportText } from '../core/index.js'
import { MatchWatch } from './match-watch.js'
import type { LineMatcher } from './output-match.js'
import type { SessionParts } from './parts.js'
import type { Plan } from './plan.js'
import type { StreamFollower } from './stream.js'

const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
const PASTE_MODE_ON = '\x1b[?2004h'

/**
 * What one send shows of the output. Neither prompts nor the line editor's echo belong to it: they are left out by position,
 * between the marks that enclose them. The echo of programs has no marks and is recognised by its text.
 */
export class SendView implements StreamFollower {
  private readonly viewport: ViewportCollector
  private readonly decoder = new TextDecoder()
  /** Raw output of the current chunk, without prompts and the line editor's echo. */
  private raw = ''
  private isSuppressed = false
  /** The line editor returns the carriage behind the mode it has just left (readline, `rl_deprep_terminal`). */
  private isReturnExpected = false
  /** The line editor has shown the Enter that ended the line. With echo off it shows a new line only behind the mode. */
  private isEnterShown = false
  private readonly match: MatchWatch | undefined
  private readonly release: () => void

  constructor(
    private readonly parts: SessionParts,
    private readonly request: SendRequest,
    private readonly plan: Plan,
    private readonly handleFact: (fact: Fact) => void,
    onMatch: (line: string) => void,
  ) {
    const isEchoed = plan.chunks.length > 0 && !plan.isAtPrompt && this.omitsEcho
    const match = plan.isMatch && this.watchForMatch(plan.isMatch, onMatch)
    this.match = match
    const { onText } = request
    const onLines = (text: string) => {
      onText?.(text)
      match?.handleLines(text)
    }
    this.viewport = parts.output.startViewport({
      ...(isEchoed ? { echo: plan.echo } : {}),
      ...(onText || match ? { onLines } : {}),
    })
    if (plan.isAtPrompt && plan.chunks.length > 0) this.suppressEditor()
    this.release = parts.stream.follow(this)
  }

  get notes(): readonly string[] {
    return this.plan.notes
  }

  onFact(fact: Fact): void {
    if (fact.type === 'mode' && fact.mode === 'bracketed-paste') this.handlePasteMode(fact.on)
    this.handleFact(fact)
  }

  onShellEvent(event: ShellEvent): void {
    switch (event.kind) {
      case 'command-start':
      case 'exiting':
        this.suppress(false)
        return
      case 'continuation':
        this.suppressEditor()
        return
      case 'prompt-start':
        // A prompt that a command printed itself is its output.
        if (this.parts.stream.phase !== 'doubtful') this.suppressEditor()
        return
      case 'prompt-end':
        // Without input there is no echo to come, only what runs in the background.
        if (this.plan.chunks.length === 0) this.suppress(false)
    }
  }

  onRaw(bytes: Uint8Array): void {
    if (this.isSuppressed) this.isEnterShown ||= bytes.includes(LINE_FEED)
    if (!this.request.onOutput || this.isSuppressed) return
    const skipped = this.isReturnExpected ? this.countReturn(bytes) : 0
    this.isReturnExpected = false
    this.raw += this.decoder.decode(bytes.subarray(skipped), { stream: true })
  }

  onChunkEnd(): void {
    const text = this.raw
    this.raw = ''
    if (text !== '') this.request.onOutput?.(text)
    this.match?.handleChange()
  }

  /** Look at what has come last. @returns whether the awaited output is there, which has then been told. */
  finishMatch(): boolean {
    return this.match?.finish() ?? false
  }

  snapshot(): ViewportText {
    return this.viewport.snapshot()
  }

  /** Stop following. Idempotent. */
  stop(): ViewportText {
    this.release()
    this.match?.stop()
    return this.viewport.stop()
  }

  private watchForMatch(isMatch: LineMatcher, onMatch: (line: string) => void): MatchWatch {
    const { clock, screen } = this.parts
    return new MatchWatch({
      clock,
      isMatch,
      onMatch,
      openLine: () => this.viewport.lastLine(),
      rows: () => (screen.isDrawn ? screen.snapshot({}).then(({ rows }) => rows) : undefined),
    })
  }

  private handlePasteMode(isOn: boolean): void {
    if (isOn) {
      // The line editor's way of taking over, ahead of the prompt. It shows nothing.
      if (this.omitsEcho && this.raw.endsWith(PASTE_MODE_ON)) this.raw = this.raw.slice(0, -PASTE_MODE_ON.length)
      return
    }
    // It leaves behind the newline of its echo: what follows is output, also when no command starts (a syntax error).
    this.isReturnExpected = this.isSuppressed
    if (this.isSuppressed && !this.isEnterShown) this.viewport.skipEmptyLine()
    this.suppress(false)
  }

  /** Bytes at the front by which the line editor goes to the start of the line, or of the next one. */
  private countReturn(bytes: Uint8Array): number {
    if (bytes[0] !== CARRIAGE_RETURN) return 0
    return !this.isEnterShown && bytes[1] === CARRIAGE_RETURN && bytes[2] === LINE_FEED ? 3 : 1
  }

  private get omitsEcho(): boolean {
    return this.parts.config.echo === 'omit'
  }

  private suppressEditor(): void {
    this.isEnterShown = false
    if (this.parts.record.editorSeen) this.suppress(true)
  }

  private suppress(isOn: boolean): void {
    if (!this.omitsEcho) return
    this.isSuppressed = isOn
    this.viewport.suppress(isOn)
  }
}
