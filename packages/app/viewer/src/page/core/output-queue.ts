/**
 * What waits to be drawn, as a value. Text and the boundaries of commands keep their order. When more waits than is worth
 * drawing, everything is dropped and the newest output is asked for as a whole: memory stays bounded in any flood.
 */
import type { ContentPart } from '@agent-terminals/ahp/protocol'

export type Boundary =
  | { readonly kind: 'executed'; readonly commandId: string }
  | { readonly kind: 'finished'; readonly commandId: string }
  /** Everything before it is forgotten. */
  | { readonly kind: 'cleared' }

/** A text, then what happened behind it. */
export interface Stretch {
  readonly text: string
  readonly boundary: Boundary | undefined
}

export type OutputQueue =
  | {
      readonly kind: 'holding'
      /** Those before `first` have been taken. */
      readonly stretches: readonly Stretch[]
      readonly first: number
      readonly units: number
    }
  /** Too much came: the whole is to be drawn anew. */
  | { readonly kind: 'overrun' }

export const EMPTY_QUEUE: OutputQueue = { kind: 'holding', stretches: [], first: 0, units: 0 }

export function addText(queue: OutputQueue, text: string, maxUnits: number): OutputQueue {
  if (queue.kind === 'overrun' || text === '') return queue
  const units = queue.units + text.length
  if (units > maxUnits) return { kind: 'overrun' }
  return { ...append(queue, (open) => ({ text: open + text, boundary: undefined })), units }
}

/** Of commands too many can wait as well. */
const MAX_STRETCHES = 2_000

export function addBoundary(queue: OutputQueue, boundary: Boundary): OutputQueue {
  if (queue.kind === 'overrun') return queue
  const next = append(queue, (open) => ({ text: open, boundary }))
  return next.stretches.length > MAX_STRETCHES ? { kind: 'overrun' } : next
}

type Holding = Extract<OutputQueue, { readonly kind: 'holding' }>

/** @param extend - what becomes of the text that nothing has happened behind yet. */
function append({ stretches, first, units }: Holding, extend: (open: string) => Stretch): Holding {
  const waiting = stretches.slice(first)
  const last = waiting.at(-1)
  if (last && last.boundary === undefined) waiting[waiting.length - 1] = extend(last.text)
  else waiting.push(extend(''))
  return { kind: 'holding', stretches: waiting, first: 0, units }
}

/** All output that is kept, however much: it is bounded where it is kept. */
export function fillQueue(content: readonly ContentPart[]): OutputQueue {
  const stretches: Stretch[] = []
  let open = ''
  let units = 0
  const close = (boundary: Boundary | undefined) => {
    if (open !== '' || boundary) stretches.push({ text: open, boundary })
    units += open.length
    open = ''
  }
  for (const part of content) {
    if (part.type === 'unclassified') open += part.value
    if (part.type !== 'command') continue
    close({ kind: 'executed', commandId: part.commandId })
    open = part.output
    if (part.isComplete) close({ kind: 'finished', commandId: part.commandId })
  }
  close(undefined)
  return { kind: 'holding', stretches, first: 0, units }
}

/** @returns the first stretch, of at most `maxUnits` of text, and what is left. `undefined` when nothing waits. */
export function takeStretch(
  queue: OutputQueue,
  maxUnits: number,
): { readonly stretch: Stretch; readonly queue: OutputQueue } | undefined {
  if (queue.kind === 'overrun') return undefined
  const { stretches, first, units } = queue
  const stretch = stretches[first]
  if (!stretch) return undefined
  const { text, boundary } = stretch
  if (text.length <= maxUnits) {
    return { stretch, queue: { kind: 'holding', stretches, first: first + 1, units: units - text.length } }
  }
  const cut = isHighSurrogate(text.charCodeAt(maxUnits - 1)) ? maxUnits - 1 : maxUnits
  const remainder = stretches.with(first, { text: text.slice(cut), boundary })
  return {
    stretch: { text: text.slice(0, cut), boundary: undefined },
    queue: { kind: 'holding', stretches: remainder, first, units: units - cut },
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
