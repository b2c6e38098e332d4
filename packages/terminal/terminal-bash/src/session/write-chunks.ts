import { ESC, type Look } from '../core/index.js'
import type { SessionParts } from './parts.js'

/**
 * A program takes an Escape for the start of a longer key until nothing follows for a while: 100 ms in vim (`ttimeoutlen` of
 * defaults.vim), `ESCDELAY` in ncurses, which the backend sets to less.
 */
const ESCAPE_PAUSE_MS = 120
/** A program that has not taken keys by then is busy, or does not want them yet. */
const TAKEN_PATIENCE_MS = 100
/** Between looks at a program that is taking keys, which is a matter of microseconds. */
const TAKEN_PAUSE_MS = 1

export interface WriteOptions {
  /** The look from before the first chunk. */
  readonly before: Look | undefined
  /** The program reads single keys. */
  readonly readsKeys: boolean
  /** Whether the rest is still to be written. */
  readonly isWanted: () => boolean
  /** Input has been held back for a while and goes on now: what answers it comes from here on. */
  readonly onResume: () => Promise<void>
}

/**
 * Write chunks in order. What is written in one piece reaches the program in one piece, so that it cannot have taken the beginning and
 * wait for the rest of it (`tty_insert_flip_string`, Linux). An Escape is given time to be a key of its own. Of a program that reads
 * keys, the Enter behind them waits until they have been taken: many take Enter among other keys for a part of a paste.
 */
export async function writeChunks(
  parts: SessionParts,
  chunks: readonly string[],
  { before, readsKeys, isWanted, onResume }: WriteOptions,
): Promise<void> {
  const pieces = joinChunks(chunks, readsKeys)
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) {
      if (pieces[index - 1] === ESC) await pause(parts, ESCAPE_PAUSE_MS)
      else await waitUntilTaken(parts, before)
      if (isWanted()) await onResume()
    }
    if (!isWanted()) return
    await parts.input.write(piece)
  }
}

function joinChunks(chunks: readonly string[], readsKeys: boolean): readonly string[] {
  const pieces: string[] = []
  for (const [index, chunk] of chunks.entries()) {
    const last = pieces.at(-1)
    const isApart = last === ESC || chunk === ESC || (readsKeys && index === chunks.length - 1)
    if (last === undefined || isApart) pieces.push(chunk)
    else pieces[pieces.length - 1] = last + chunk
  }
  return pieces
}

/** Where a program waited before, it has taken what was written once it waits anew, or has gone. */
async function waitUntilTaken(parts: SessionParts, before: Look | undefined): Promise<void> {
  const { foreground, clock } = parts
  const [wait] = before?.waits ?? []
  if (!before || !wait) return
  for (const since = clock.now(); clock.now() - since < TAKEN_PATIENCE_MS; ) {
    const look = await foreground.look().catch(() => undefined)
    if (look?.pgid !== before.pgid) return
    const now = look.waits.find(({ pid, tid }) => pid === wait.pid && tid === wait.tid)
    if (now && now.wakeups > wait.wakeups) return
    await pause(parts, TAKEN_PAUSE_MS)
  }
}

function pause({ clock }: SessionParts, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.schedule(delayMs, resolve))
}
