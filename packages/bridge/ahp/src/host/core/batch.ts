/** Output of one terminal on its way out: sent at once after a pause, collected while more keeps coming. Sheet §13. */

export type Batch =
  /** Nothing is held back. */
  | { readonly kind: 'empty'; readonly sentAt: number }
  | { readonly kind: 'collecting'; readonly text: string; readonly sentAt: number; readonly dueAt: number }

export interface BatchPolicy {
  /** Longest deliberate delay in milliseconds. 0 holds nothing back. */
  readonly latencyMs: number
  /** UTF-16 units at which a batch goes whatever the time. */
  readonly maxUnits: number
}

export interface BatchStep {
  readonly batch: Batch
  /** To be sent now. Never empty. */
  readonly send?: string
}

export const EMPTY_BATCH: Batch = { kind: 'empty', sentAt: Number.NEGATIVE_INFINITY }

/** More output has come. The first after a pause of `latencyMs` is not held back: a keystroke's echo must not wait. */
export function addOutput(batch: Batch, text: string, now: number, { latencyMs, maxUnits }: BatchPolicy): BatchStep {
  if (text === '') return { batch }
  const held = batch.kind === 'collecting' ? batch.text + text : text
  const dueAt = Math.min(batch.sentAt + latencyMs, now + latencyMs)
  if (now >= dueAt || held.length >= maxUnits) return { batch: { kind: 'empty', sentAt: now }, send: held }
  const earlier = batch.kind === 'collecting' ? Math.min(batch.dueAt, dueAt) : dueAt
  return { batch: { kind: 'collecting', text: held, sentAt: batch.sentAt, dueAt: earlier } }
}

/** Whatever is held goes now: its time has come, or something follows that it must not be overtaken by. */
export function flushBatch(batch: Batch, now: number): BatchStep {
  if (batch.kind === 'empty') return { batch }
  return { batch: { kind: 'empty', sentAt: now }, send: batch.text }
}

/** Somebody wants less delay from now on. */
export function hurryBatch(batch: Batch, latencyMs: number): Batch {
  if (batch.kind === 'empty') return batch
  return { ...batch, dueAt: Math.min(batch.dueAt, batch.sentAt + latencyMs) }
}
