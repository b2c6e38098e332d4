/** Brings a terminal's output to a drawing surface, one stretch at a time, at the pace of the surface. */
import type { ChannelEvent } from '@agent-terminals/ahp/client'
import type { ContentPart, TerminalAction, TerminalState } from '@agent-terminals/ahp/protocol'
import {
  addBoundary,
  addText,
  type Boundary,
  EMPTY_QUEUE,
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

/** As much as a host keeps: beyond it the newest output is drawn, and what scrolled by is not. */
const MAX_WAITING_UNITS = 1 << 20
/** A surface draws this in a few milliseconds, so that keys and messages are heard in between. */
const STRETCH_UNITS = 64 << 10

export class OutputFeed {
  private queue: OutputQueue = EMPTY_QUEUE
  private isWriting = false
  private isDisposed = false
  private readonly release: () => void

  constructor(
    private readonly source: OutputSource,
    private readonly surface: Surface,
  ) {
    this.release = source.onEvent((event) => this.handle(event))
    this.drawAnew()
  }

  dispose(): void {
    this.isDisposed = true
    this.release()
  }

  private handle(event: ChannelEvent<TerminalState>): void {
    if (event.type === 'snapshot') this.queue = { kind: 'overrun' }
    else if (event.type === 'action') this.queue = addAction(this.queue, event.envelope.action as TerminalAction)
    this.writeNext()
  }

  private drawAnew(): void {
    this.surface.reset()
    const content = this.source.state?.content ?? []
    this.queue = content.reduce(addPart, EMPTY_QUEUE)
    this.writeNext()
  }

  private writeNext(): void {
    if (this.isWriting || this.isDisposed) return
    if (this.queue.kind === 'overrun') {
      this.drawAnew()
      return
    }
    const taken = takeStretch(this.queue, STRETCH_UNITS)
    if (!taken) return
    this.queue = taken.queue
    this.isWriting = true
    this.surface.write(taken.stretch.text, () => {
      this.isWriting = false
      if (this.isDisposed) return
      if (taken.stretch.boundary) this.surface.handleBoundary(taken.stretch.boundary)
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

function addPart(queue: OutputQueue, part: ContentPart): OutputQueue {
  if (part.type === 'unclassified') return addText(queue, part.value, Number.POSITIVE_INFINITY)
  if (part.type !== 'command') return queue
  const { commandId, output, isComplete } = part
  const begun = addText(addBoundary(queue, { kind: 'executed', commandId }), output, Number.POSITIVE_INFINITY)
  return isComplete ? addBoundary(begun, { kind: 'finished', commandId }) : begun
}
