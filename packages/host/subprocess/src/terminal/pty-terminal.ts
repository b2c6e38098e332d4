/** One terminal: composes the device, what leads from and to it, the inspector and the termination of its process tree. */
import type {
  EvidenceSources,
  ExitOutcome,
  ForegroundInspection,
  SubprocessTerminal,
  TerminalAttributes,
  TerminalMember,
  TerminalSignal,
  TerminalSize,
  TerminationReport,
} from '../contract.js'
import { SubprocessError } from '../errors.js'
import type { OpenPty, PtyDevice, PtyRequest } from './device.js'
import { InputQueue } from './input-queue.js'
import { OutputJoiner } from './output-joiner.js'
import { OutputQueue } from './output-queue.js'
import type { ProcessSide } from './process-side.js'
import { requireSize } from './spawn-check.js'

/** Canonical readers get at most this much per line: N_TTY_BUF_SIZE on Linux (termios(3)), MAX_CANON on macOS. */
const MAX_CANONICAL_BYTES = { linux: 4096, darwin: 1024 } as const

export interface PtyTerminalOptions {
  readonly openPty: OpenPty
  readonly request: PtyRequest
  readonly platform: string
  readonly maxHeldOutputBytes: number
  /** Take up what concerns the process behind the device. */
  readonly createProcessSide: (device: PtyDevice) => ProcessSide
  readonly handleListenerError: (error: unknown) => void
  /** The process tree is gone for good. */
  readonly handleTerminated: () => void
}

type Life = { readonly kind: 'running' } | { readonly kind: 'exited'; readonly outcome: ExitOutcome }

export class PtyTerminal implements SubprocessTerminal {
  readonly maxCanonicalBytes: number
  readonly exited: Promise<ExitOutcome>
  private life: Life = { kind: 'running' }
  private settleExited: (outcome: ExitOutcome) => void = () => {}
  private readonly device: PtyDevice
  private readonly processSide: ProcessSide
  private readonly joiner: OutputJoiner
  private readonly output: OutputQueue
  private readonly input: InputQueue

  constructor(private readonly options: PtyTerminalOptions) {
    this.maxCanonicalBytes = MAX_CANONICAL_BYTES[options.platform === 'darwin' ? 'darwin' : 'linux']
    this.exited = new Promise((resolve) => {
      this.settleExited = resolve
    })
    this.output = new OutputQueue({
      source: { pause: () => this.device.pause(), resume: () => this.device.resume() },
      maxHeldBytes: options.maxHeldOutputBytes,
      handleListenerError: options.handleListenerError,
    })
    this.joiner = new OutputJoiner({
      handleChunk: (chunk) => this.output.push(chunk),
      now: () => performance.now(),
      schedule: (delayMs, callback) => {
        const timer = setTimeout(callback, delayMs)
        return () => clearTimeout(timer)
      },
    })
    this.input = new InputQueue((bytes) => this.device.write(bytes))
    this.device = options.openPty(options.request, {
      handleData: (bytes) => this.joiner.take(bytes),
      handleExit: (outcome) => this.handleExit(outcome),
    })
    try {
      this.processSide = options.createProcessSide(this.device)
    } catch (error) {
      this.device.close()
      throw error
    }
  }

  get pid(): number {
    return this.device.pid
  }

  get ttyPath(): string | undefined {
    return this.device.ttyPath
  }

  get sources(): EvidenceSources {
    return this.processSide.sources
  }

  get exit(): ExitOutcome | undefined {
    return this.life.kind === 'exited' ? this.life.outcome : undefined
  }

  get pendingInputBytes(): number {
    return this.input.pendingBytes
  }

  onOutput(listener: (chunk: Uint8Array) => void, options?: { readonly borrows?: boolean }): () => void {
    return this.output.attach(listener, options)
  }

  pause(): void {
    this.output.pause()
  }

  resume(): void {
    this.output.resume()
  }

  write(data: Uint8Array | string, signal?: AbortSignal): Promise<void> {
    return this.input.write(data, signal)
  }

  resize(size: TerminalSize): void {
    requireSize(size)
    if (this.life.kind === 'running') this.device.resize(size)
  }

  async foregroundGroup(): Promise<number | undefined> {
    return this.life.kind === 'running' ? this.processSide.foregroundGroup() : undefined
  }

  async inspect(): Promise<ForegroundInspection | undefined> {
    if (this.life.kind !== 'running') return undefined
    const inspection = await this.processSide.inspect()
    if (inspection === undefined || inspection.waits.length === 0) return inspection
    // Behind the look: what a program printed before it was seen to wait has been handed over before that is known.
    const isRead = this.device.readPending?.() === true
    this.joiner.flush()
    const outputRead = isRead && this.output.isEmpty
    return outputRead ? { ...inspection, outputRead } : inspection
  }

  async attributes(): Promise<TerminalAttributes | undefined> {
    return this.life.kind === 'running' ? this.processSide.attributes() : undefined
  }

  async workingDirectory(): Promise<string | undefined> {
    return this.life.kind === 'running' ? this.processSide.workingDirectory() : undefined
  }

  async signalForeground(signal: TerminalSignal): Promise<{ readonly pgid: number }> {
    if (this.life.kind === 'exited') throw createExitedError(this.life.outcome)
    return this.processSide.signalForeground(signal)
  }

  members(beside?: number): Promise<readonly TerminalMember[]> {
    return this.processSide.members(beside)
  }

  async terminate(options: { readonly graceMs: number }): Promise<TerminationReport> {
    const report = await this.processSide.terminate(options)
    // The tree is gone, so the exit is on its way; after it the descriptor is closed.
    await this.exited
    this.options.handleTerminated()
    return report
  }

  /** Release what this process holds although the tree may live on: after a termination that failed for good. */
  abandon(): void {
    this.device.close()
    this.processSide.close()
    this.input.close(new SubprocessError('DISPOSED', 'The subprocess service has ended; the terminal is closed.'))
  }

  private handleExit(outcome: ExitOutcome): void {
    this.joiner.flush()
    this.output.end()
    this.life = { kind: 'exited', outcome }
    this.input.close(createExitedError(outcome))
    this.processSide.close()
    this.settleExited(outcome)
  }
}

function createExitedError(outcome: ExitOutcome): SubprocessError {
  const how = outcome.kind === 'code' ? `with code ${outcome.code}` : `by ${outcome.signal}`
  return new SubprocessError('EXITED', `The terminal's process has ended ${how}. Open another terminal.`)
}
