/** A backend that records what it is asked and says what the test makes it say. It holds no rules. */
import type {
  BackendEvent,
  BackendOpenRequest,
  BackendSession,
  CloseReport,
  SendOutcome,
  SendRequest,
  SignalDelivery,
  TerminalBackend,
  TerminalSend,
  TerminalSize,
} from '@agent-terminals/terminal'
import { createDeferred } from '@agent-terminals/testing'

export class ScriptedSend implements TerminalSend {
  readonly releases: string[] = []
  private readonly settlement = createDeferred<SendOutcome>()
  constructor(readonly request: SendRequest) {}
  get outcome(): Promise<SendOutcome> {
    return this.settlement.promise
  }
  cancel(reason: unknown): void {
    const viewport = { text: '', omittedLines: 0, omittedBytes: 0 }
    const interruption = { delivered: 'SIGINT' } as const
    this.settlement.resolve({ kind: 'cancelled', reason, interruption, viewport, sessionStatus: { kind: 'running' } })
  }
  release(note: string): void {
    this.releases.push(note)
  }
  progress() {
    return { state: 'busy' as const, quietMs: 0, lastLine: '' }
  }
  settle(): void {
    this.settlement.resolve({
      kind: 'settled',
      result: {
        viewport: { text: '', omittedLines: 0, omittedBytes: 0 },
        waitReason: 'stdin_read',
        sessionStatus: { kind: 'running' },
        truncated: false,
        state: 'prompt',
        promptDetection: 'active',
        elapsedMs: 1,
        notes: [],
      },
    })
  }
}

export class ScriptedSession implements BackendSession {
  readonly pid = 4242
  readonly motd = ''
  readonly inputs: string[] = []
  readonly sizes: TerminalSize[] = []
  readonly sends: ScriptedSend[] = []
  closes = 0
  promptDetection: 'active' | 'none' = 'none'
  scrollback = ''
  /** When set, closing rejects with it. */
  closeError: Error | undefined
  private commands = 0

  constructor(readonly request: BackendOpenRequest) {}

  describe() {
    return {
      status: { kind: 'running' as const },
      cwd: this.request.cwd,
      foreground: undefined,
      title: undefined,
      idleMs: 0,
      promptDetection: this.promptDetection,
      evidence: [],
    }
  }
  send(request: SendRequest): TerminalSend {
    const send = new ScriptedSend(request)
    this.sends.push(send)
    return send
  }
  read() {
    return { text: this.scrollback, totalLines: 0, lineBegin: 0, lineEnd: 0, truncated: false }
  }
  async signal(): Promise<SignalDelivery> {
    return { delivered: true, targetPgid: 1 }
  }
  async input(data: string): Promise<void> {
    this.inputs.push(data)
  }
  resize(size: TerminalSize): void {
    this.sizes.push(size)
  }
  async close(): Promise<CloseReport> {
    this.closes++
    if (this.closeError) throw this.closeError
    this.emit({ type: 'exited', status: { kind: 'signalled', signal: 'SIGHUP' } })
    return { killed: true }
  }

  emit(event: BackendEvent): void {
    this.request.emit(event)
  }
  print(text: string): void {
    this.printBytes(new TextEncoder().encode(text))
  }
  printBytes(bytes: Uint8Array): void {
    this.emit({ type: 'data', bytes })
  }
  exit(exitCode: number): void {
    this.emit({ type: 'exited', status: { kind: 'exited', exitCode } })
  }
  /** Begin a command. @returns how to end it. */
  run(commandLine: string): (exitCode?: number) => void {
    const commandId = `c${++this.commands}`
    this.emit({ type: 'command-executed', commandId, commandLine })
    return (exitCode) => this.emit({ type: 'command-finished', commandId, exitCode, durationMs: 12.4 })
  }
}

export class ScriptedBackend implements TerminalBackend {
  readonly description = 'scripted'
  readonly sessions: ScriptedSession[] = []
  /** When set, the next opening rejects with it. */
  openError: Error | undefined
  /** When set, openings wait for it. */
  gate: Promise<void> | undefined

  constructor(readonly type = 'shell') {}

  async open(request: BackendOpenRequest): Promise<BackendSession> {
    await this.gate
    if (this.openError) throw this.openError
    const session = new ScriptedSession(request)
    this.sessions.push(session)
    return session
  }
  get last(): ScriptedSession {
    const session = this.sessions.at(-1)
    if (!session) throw new Error('no terminal has been opened')
    return session
  }
}
