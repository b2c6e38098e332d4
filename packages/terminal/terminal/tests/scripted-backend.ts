/** A backend that records what it is asked and answers when the test says so. It holds no rules. */
import { type Deferred, defer } from '../src/deferred.js'
import type {
  BackendEvent,
  BackendOpenRequest,
  BackendSession,
  CloseReport,
  SendOutcome,
  SendRequest,
  SendResult,
  SignalDelivery,
  TerminalBackend,
  TerminalSend,
  TerminalSignal,
  TerminalSize,
} from '../src/index.js'

export class ScriptedSend implements TerminalSend {
  readonly settlement: Deferred<SendOutcome> = defer()
  readonly cancels: unknown[] = []
  readonly releases: string[] = []
  hasBegun = true
  constructor(readonly request: SendRequest) {}
  get outcome(): Promise<SendOutcome> {
    return this.settlement.promise
  }
  cancel(reason: unknown): void {
    this.cancels.push(reason)
  }
  release(note: string): void {
    this.releases.push(note)
  }
  progress() {
    return { state: 'busy' as const, quietMs: 0, lastLine: '' }
  }
  settle(result: Partial<SendResult> = {}): void {
    this.settlement.resolve({ kind: 'settled', result: { ...RESULT, ...result } })
  }
  settleCancelled(reason: unknown): void {
    const { viewport, sessionStatus } = RESULT
    this.settlement.resolve({
      kind: 'cancelled',
      reason,
      interruption: { delivered: 'SIGINT' },
      viewport,
      sessionStatus,
    })
  }
}

const RESULT: SendResult = {
  viewport: { text: '', omittedLines: 0, omittedBytes: 0 },
  waitReason: 'stdin_read',
  sessionStatus: { kind: 'running' },
  truncated: false,
  state: 'prompt',
  promptDetection: 'active',
  elapsedMs: 1,
  notes: [],
}

export class ScriptedSession implements BackendSession {
  readonly pid = 4242
  readonly motd = 'welcome'
  readonly sends: ScriptedSend[] = []
  readonly signals: TerminalSignal[] = []
  readonly inputs: string[] = []
  readonly sizes: TerminalSize[] = []
  readonly closes: Deferred<CloseReport>[] = []
  /** When set, the next send throws it. */
  sendError: Error | undefined
  scrollback = 'kept output'

  constructor(readonly emit: (event: BackendEvent) => void) {}

  describe() {
    return {
      status: { kind: 'running' as const },
      cwd: '/work',
      foreground: undefined,
      title: undefined,
      idleMs: 5,
      promptDetection: 'active' as const,
      evidence: ['prompt'],
    }
  }
  send(request: SendRequest): TerminalSend {
    if (this.sendError) throw this.sendError
    const send = new ScriptedSend(request)
    this.sends.push(send)
    return send
  }
  read() {
    return { text: this.scrollback, totalLines: 1, lineBegin: 1, lineEnd: 1, truncated: false }
  }
  async signal(signal: TerminalSignal): Promise<SignalDelivery> {
    this.signals.push(signal)
    return { delivered: true, targetPgid: 77 }
  }
  async input(data: string): Promise<void> {
    this.inputs.push(data)
  }
  resize(size: TerminalSize): void {
    this.sizes.push(size)
  }
  close(): Promise<CloseReport> {
    const close = defer<CloseReport>()
    this.closes.push(close)
    return close.promise
  }

  exit(exitCode: number): void {
    this.emit({ type: 'exited', status: { kind: 'exited', exitCode } })
  }
  print(text: string): void {
    this.emit({ type: 'data', bytes: new TextEncoder().encode(text) })
  }
  get lastSend(): ScriptedSend {
    return last(this.sends, 'send')
  }
  get lastClose(): Deferred<CloseReport> {
    return last(this.closes, 'close')
  }
}

/** One call of `open` that waits for the test's verdict. */
export class ScriptedOpen {
  readonly verdict: Deferred<BackendSession> = defer()
  readonly session: ScriptedSession
  constructor(readonly request: BackendOpenRequest) {
    this.session = new ScriptedSession(request.emit)
  }
  succeed(): ScriptedSession {
    this.verdict.resolve(this.session)
    return this.session
  }
  fail(error: unknown): void {
    this.verdict.reject(error)
  }
}

export class ScriptedBackend implements TerminalBackend {
  readonly description = 'scripted'
  readonly opens: ScriptedOpen[] = []
  constructor(readonly type = 'scripted') {}
  open(request: BackendOpenRequest): Promise<BackendSession> {
    const open = new ScriptedOpen(request)
    this.opens.push(open)
    return open.verdict.promise
  }
  get lastOpen(): ScriptedOpen {
    return last(this.opens, 'open')
  }
}

function last<Item>(items: readonly Item[], what: string): Item {
  const item = items.at(-1)
  if (item === undefined) throw new Error(`no ${what} has been asked of the backend`)
  return item
}
