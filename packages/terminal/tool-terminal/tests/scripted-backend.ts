/** A backend that records what it is asked and answers what the test has prepared. It holds no rules. */
import type {
  BackendDescription,
  BackendEvent,
  BackendOpenRequest,
  BackendSession,
  CloseReport,
  ReadRequest,
  ScrollbackPage,
  SendOutcome,
  SendRequest,
  SendResult,
  SignalDelivery,
  TerminalBackend,
  TerminalConfinement,
  TerminalSend,
  TerminalSignal,
} from '@agent-terminals/terminal'

export const SETTLED: SendResult = {
  viewport: { text: '', omittedLines: 0, omittedBytes: 0 },
  waitReason: 'stdin_read',
  sessionStatus: { kind: 'running' },
  truncated: false,
  state: 'prompt',
  promptDetection: 'active',
  elapsedMs: 5,
  notes: [],
}

export const settled = (text: string, changes: Partial<SendResult> = {}): SendOutcome => ({
  kind: 'settled',
  result: { ...SETTLED, viewport: { text, omittedLines: 0, omittedBytes: 0 }, ...changes },
})

export class ScriptedSend implements TerminalSend {
  readonly outcome: Promise<SendOutcome>
  readonly cancels: unknown[] = []
  resolve: (outcome: SendOutcome) => void = () => undefined

  constructor(readonly request: SendRequest) {
    this.outcome = new Promise((resolve) => {
      this.resolve = resolve
    })
  }
  cancel(reason: unknown): void {
    this.cancels.push(reason)
  }
  progress() {
    return { state: 'busy' as const, quietMs: 0, lastLine: '' }
  }
  settle(text: string, changes: Partial<SendResult> = {}): void {
    this.resolve(settled(text, changes))
  }
}

export class ScriptedSession implements BackendSession {
  readonly pid = 4242
  motd = ''
  confinement?: TerminalConfinement
  readonly sends: ScriptedSend[] = []
  readonly reads: ReadRequest[] = []
  readonly signals: TerminalSignal[] = []
  closes = 0
  remainingAsked = 0
  /** Outcomes for the sends to come; a send without one stays open. */
  readonly answers: SendOutcome[] = []
  page: ScrollbackPage = { text: 'kept\n', totalLines: 1, lineBegin: 1, lineEnd: 1, truncated: false }
  description: BackendDescription = {
    status: { kind: 'running' },
    cwd: '/src',
    foreground: undefined,
    title: undefined,
    idleMs: 1500,
    promptDetection: 'active',
    evidence: [],
  }
  closeReport: CloseReport = { killed: true }
  closeError: Error | undefined
  signalError: Error | undefined
  private readonly waiters: ((send: ScriptedSend) => void)[] = []

  constructor(readonly request: BackendOpenRequest) {}

  emit(event: BackendEvent): void {
    this.request.emit(event)
  }
  describe(): BackendDescription {
    return this.description
  }
  send(request: SendRequest): TerminalSend {
    const send = new ScriptedSend(request)
    this.sends.push(send)
    const answer = this.answers.shift()
    if (answer !== undefined) send.resolve(answer)
    for (const notify of this.waiters.splice(0)) notify(send)
    return send
  }
  /** The next send that is asked for, or the last one when there was one already. */
  waitForSend(count: number): Promise<ScriptedSend> {
    const known = this.sends[count - 1]
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => {
      this.waiters.push(() => resolve(this.waitForSend(count)))
    })
  }
  read(request: ReadRequest): ScrollbackPage {
    this.reads.push(request)
    return this.page
  }
  async signal(signal: TerminalSignal): Promise<SignalDelivery> {
    this.signals.push(signal)
    if (this.signalError !== undefined) throw this.signalError
    return { delivered: true, targetPgid: 77 }
  }
  async remaining() {
    this.remainingAsked++
    return []
  }
  async input(): Promise<void> {}
  resize(): void {}
  async close(): Promise<CloseReport> {
    this.closes++
    if (this.closeError !== undefined) throw this.closeError
    return this.closeReport
  }
}

export class ScriptedBackend implements TerminalBackend {
  readonly type = 'shell'
  readonly description = 'scripted'
  readonly sessions: ScriptedSession[] = []
  /** Changes a session before it is published. */
  prepare: (session: ScriptedSession) => void = () => undefined

  async open(request: BackendOpenRequest): Promise<BackendSession> {
    const session = new ScriptedSession(request)
    this.prepare(session)
    this.sessions.push(session)
    return session
  }
}
