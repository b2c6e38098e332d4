/**
 * What waits to be drawn, as a value. Text and the boundaries of commands keep their order. When more waits than is worth
 * drawing, everything is dropped and the newest output is asked for as a whole: memory stays bounded in any flood.
 */

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
  | { readonly kind: 'holding'; readonly stretches: readonly Stretch[]; readonly units: number }
  /** Too much came: the whole is to be drawn anew. */
  | { readonly kind: 'overrun' }

export const EMPTY_QUEUE: OutputQueue = { kind: 'holding', stretches: [], units: 0 }

export function addText(queue: OutputQueue, text: string, maxUnits: number): OutputQueue {
  if (queue.kind === 'overrun' || text === '') return queue
  const units = queue.units + text.length
  if (units > maxUnits) return { kind: 'overrun' }
  const last = queue.stretches.at(-1)
  const stretches =
    last && last.boundary === undefined
      ? queue.stretches.with(-1, { text: last.text + text, boundary: undefined })
      : [...queue.stretches, { text, boundary: undefined }]
  return { kind: 'holding', stretches, units }
}

/** Of commands too many can wait as well. */
const MAX_STRETCHES = 2_000

export function addBoundary(queue: OutputQueue, boundary: Boundary): OutputQueue {
  if (queue.kind === 'overrun') return queue
  const last = queue.stretches.at(-1)
  const stretches =
    last && last.boundary === undefined
      ? queue.stretches.with(-1, { text: last.text, boundary })
      : [...queue.stretches, { text: '', boundary }]
  return stretches.length > MAX_STRETCHES ? { kind: 'overrun' } : { kind: 'holding', stretches, units: queue.units }
}

/** @returns the first stretch, of at most `maxUnits` of text, and what is left. `undefined` when nothing waits. */
export function takeStretch(
  queue: OutputQueue,
  maxUnits: number,
): { readonly stretch: Stretch; readonly queue: OutputQueue } | undefined {
  if (queue.kind === 'overrun') return undefined
  const [first, ...rest] = queue.stretches
  if (!first) return undefined
  if (first.text.length <= maxUnits) {
    return { stretch: first, queue: { kind: 'holding', stretches: rest, units: queue.units - first.text.length } }
  }
  const cut = isHighSurrogate(first.text.charCodeAt(maxUnits - 1)) ? maxUnits - 1 : maxUnits
  const remainder: Stretch = { text: first.text.slice(cut), boundary: first.boundary }
  return {
    stretch: { text: first.text.slice(0, cut), boundary: undefined },
    queue: { kind: 'holding', stretches: [remainder, ...rest], units: queue.units - cut },
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
