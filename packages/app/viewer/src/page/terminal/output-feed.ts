/** Brings a terminal's output to a drawing surface, one stretch at a time, at the pace of the surface. */
import type { ChannelEvent } from '@agent-terminals/ahp/client'
import { rawStream, type TerminalAction, type TerminalState } from '@agent-terminals/ahp/protocol'
import {
  addBoundary,
  addText,
  type Boundary,
  EMPTY_QUEUE,
  fillQueue,
  type OutputQueue,
  takeStretch,
} from '../core/output-queue.js'

export interface Surface {
  /** Draw, and say when it is done. */
  write(text: string, done: () => void): void
  /** What has been written is on the surface. */
  handleBoundary(boundary: Boundary): void
  /** Start with an empty surface. */
  reset(): void
}

export interface OutputSource {
  readonly state: TerminalState | undefined
  onEvent(listener: (event: ChannelEvent<TerminalState>) => void): () => void
}

/** @returns a release. */
export type After = (delayMs: number, run: () => void) => () => void

const after: After = (delayMs, run) => {
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}

/** Beyond it nobody could have looked at what scrolls by. */
const MAX_WAITING_UNITS = 1 << 20
/** A surface draws this in a few milliseconds, so that keys and messages are heard in between. */
const STRETCH_UNITS = 64 << 10
/** In a flood a glimpse of the newest output is drawn this often: the rest of the time goes into keeping up with it. */
const GLIMPSE_MS = 400
/** Less than this between two glimpses is no flood any more. */
const CALM_UNITS = 256 << 10

type Pace =
  /** Everything is drawn. */
  | { readonly kind: 'following' }
  /** Too much comes; `units` of it since the last glimpse. */
  | { readonly kind: 'glimpsing'; readonly units: number }

const FOLLOWING: Pace = { kind: 'following' }

export class OutputFeed {
  private pace: Pace = FOLLOWING
  private queue: OutputQueue = EMPTY_QUEUE
  private isWriting = false
  /** What is on the surface has nothing to do with the queue. */
  private isStale = false
  private isDisposed = false
  private cancelGlimpse = () => {}
  private readonly release: () => void

  constructor(
    private readonly source: OutputSource,
    private readonly surface: Surface,
    private readonly clock: After = after,
  ) {
    this.release = source.onEvent((event) => this.handle(event))
    this.drawWhole()
  }

  dispose(): void {
    this.isDisposed = true
    this.cancelGlimpse()
    this.release()
  }

  private handle(event: ChannelEvent<TerminalState>): void {
    if (event.type === 'gone') return
    if (event.type === 'snapshot') {
      this.cancelGlimpse()
      this.drawWhole()
      return
    }
    const action = event.envelope.action as TerminalAction
    if (this.pace.kind === 'glimpsing') {
      const units = this.pace.units + (action.type === 'terminal/data' ? action.data.length : 0)
      this.pace = { kind: 'glimpsing', units }
      return
    }
    this.queue = addAction(this.queue, action)
    if (this.queue.kind === 'overrun') this.glimpse()
    else this.writeNext()
  }

  /** The newest output as it is, commands and all. */
  private drawWhole(): void {
    this.pace = FOLLOWING
    this.drawAnew(fillQueue(this.source.state?.content ?? []))
  }

  private glimpse(): void {
    this.pace = { kind: 'glimpsing', units: 0 }
    const tail = rawStream(this.source.state?.content ?? []).slice(-STRETCH_UNITS)
    this.drawAnew(addText(EMPTY_QUEUE, tail, MAX_WAITING_UNITS))
    this.cancelGlimpse = this.clock(GLIMPSE_MS, () => {
      if (this.pace.kind === 'glimpsing' && this.pace.units > CALM_UNITS) this.glimpse()
      else this.drawWhole()
    })
  }

  private drawAnew(queue: OutputQueue): void {
    this.queue = queue
    this.isStale = true
    this.writeNext()
  }

  private writeNext(): void {
    // What the surface is busy with stands before anything that comes after it.
    if (this.isWriting || this.isDisposed) return
    if (this.isStale) this.surface.reset()
    this.isStale = false
    const taken = takeStretch(this.queue, STRETCH_UNITS)
    if (!taken) return
    this.queue = taken.queue
    this.isWriting = true
    const { text, boundary } = taken.stretch
    this.surface.write(text, () => {
      this.isWriting = false
      if (this.isDisposed) return
      if (boundary && !this.isStale) this.surface.handleBoundary(boundary)
      this.writeNext()
    })
  }
}

function addAction(queue: OutputQueue, action: TerminalAction): OutputQueue {
  switch (action.type) {
    case 'terminal/data':
      return addText(queue, action.data, MAX_WAITING_UNITS)
    case 'terminal/commandExecuted':
      return addBoundary(queue, { kind: 'executed', commandId: action.commandId })
    case 'terminal/commandFinished':
      return addBoundary(queue, { kind: 'finished', commandId: action.commandId })
    case 'terminal/cleared':
      return addBoundary(queue, { kind: 'cleared' })
    default:
      return queue
  }
}
