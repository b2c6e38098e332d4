import type {
  BackendDescription,
  BackendSession,
  CloseReport,
  ReadRequest,
  RemainingProcess,
  ScreenRequest,
  ScreenSnapshot,
  ScrollbackPage,
  SearchRequest,
  SearchResult,
  SendRequest,
  SignalDelivery,
  TerminalConfinement,
  TerminalSend,
  TerminalSignal,
  TerminalSize,
} from '@agent-terminals/terminal'
import { TerminalError } from '@agent-terminals/terminal'
import { toTerminalError } from '../errors.js'
import { ActiveSend } from './active-send.js'
import type { SessionParts } from './parts.js'
import { toStatus } from './result.js'
import { searchLines } from './search.js'

export interface SessionOptions {
  readonly parts: SessionParts
  readonly motd: string
  readonly confinement: TerminalConfinement | undefined
  /** Release what outlives the processes: listeners, timers, the sandbox's files. */
  readonly release: () => Promise<void>
}

/** One open terminal, as the service drives it. */
export class ShellSession implements BackendSession {
  readonly motd: string
  readonly confinement?: TerminalConfinement
  private readonly parts: SessionParts

  constructor(private readonly options: SessionOptions) {
    this.parts = options.parts
    this.motd = options.motd
    if (options.confinement !== undefined) this.confinement = options.confinement
  }

  /** The shell's, as the machine counts: below a sandbox's wrapper it is not the process that was started. */
  get pid(): number {
    return this.parts.foreground.shellPid ?? this.parts.handle.pid
  }

  describe(): BackendDescription {
    const { handle, record, foreground, stream, clock } = this.parts
    return {
      status: toStatus(handle.exit),
      cwd: record.cwd,
      foreground: foreground.program,
      title: stream.modes.title,
      idleMs: Math.round(clock.now() - stream.lastOutputAt),
      promptDetection: record.promptDetection,
      evidence: foreground.sources,
    }
  }

  send(request: SendRequest): TerminalSend {
    const send = new ActiveSend(this.parts, request)
    send.start()
    return send
  }

  read(request: ReadRequest): ScrollbackPage {
    const { output } = this.parts
    const { since, lines } = request
    if (since !== undefined) return output.pageSince({ since, ...(lines === undefined ? {} : { lines }) })
    return output.page(request)
  }

  async screen(request: ScreenRequest): Promise<ScreenSnapshot> {
    return this.parts.screen.snapshot(request)
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    return searchLines(this.parts.output, this.parts.clock, request)
  }

  async signal(signal: TerminalSignal): Promise<SignalDelivery> {
    const { handle, foreground, feeder, input } = this.parts
    if (handle.exit) throw new TerminalError('SESSION_ENDED', 'The terminal has ended. Open another one.')
    if (signal === 'SIGKILL' && foreground.isShellGroup(await handle.foregroundGroup())) {
      throw new TerminalError('SIGNAL_REFUSED', 'The shell itself is in the foreground. Close the terminal to end it.')
    }
    // As with ^C at a keyboard: what was typed ahead for the program goes with it.
    if (signal === 'SIGINT') {
      feeder.drop()
      input.drop()
    }
    try {
      const { pgid } = await handle.signalForeground(signal)
      return { delivered: true, targetPgid: pgid }
    } catch (error) {
      throw toTerminalError(error, 'NO_FOREGROUND')
    }
  }

  async input(data: string): Promise<void> {
    try {
      await this.parts.input.write(data)
    } catch (error) {
      throw toTerminalError(error, 'SESSION_ENDED')
    }
  }

  /** Lines read with echo off: getpass(3). The line editor at the shell's prompt reads keys and shows them itself. */
  async takesSecret(): Promise<boolean> {
    const { stream, foreground, handle } = this.parts
    if (handle.exit || stream.phase === 'prompt' || stream.phase === 'continuation') return false
    const attributes = await foreground.attributes()
    return attributes?.canonical === true && !attributes.echo
  }

  resize(size: TerminalSize): void {
    this.parts.handle.resize(size)
    this.parts.output.resize(size.columns, size.rows)
    this.parts.screen.resize(size)
  }

  async remaining(): Promise<readonly RemainingProcess[] | undefined> {
    const { handle, foreground } = this.parts
    // The shell itself is not what has been left behind, nor is a wrapper around it.
    if (handle.exit === undefined && foreground.shellPid === undefined) return undefined
    const members = await handle.members?.(foreground.shellPid)
    return members?.map(({ pid, command }) => ({ pid, command }))
  }

  async close(): Promise<CloseReport> {
    const { handle, config } = this.parts
    const wasRunning = handle.exit === undefined
    try {
      const { ended } = await handle.terminate({ graceMs: config.disposeGraceMs })
      await handle.exited
      await this.options.release()
      return { killed: wasRunning || ended > 0 }
    } catch (error) {
      throw toTerminalError(error, 'CLEANUP_FAILED')
    }
  }
}
