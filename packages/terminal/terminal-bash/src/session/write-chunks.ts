import { ESC } from '../core/index.js'
import type { SessionParts } from './parts.js'

/**
 * A program takes an Escape for the start of a longer key until nothing follows for a while: 100 ms in vim (`ttimeoutlen` of
 * defaults.vim), `ESCDELAY` in ncurses, which the backend sets to less.
 */
const ESCAPE_PAUSE_MS = 120

export interface WriteOptions {
  /** Whether the rest is still to be written. */
  readonly isWanted: () => boolean
  /** Input has been held back for a while and goes on now: what answers it comes from here on. */
  readonly onResume: () => Promise<void>
}

/** Write chunks in order, with time after an Escape so that it stays a key of its own. */
export async function writeChunks(
  { input, clock }: SessionParts,
  chunks: readonly string[],
  { isWanted, onResume }: WriteOptions,
): Promise<void> {
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0 && chunks[index - 1] === ESC) {
      await new Promise<void>((resolve) => clock.schedule(ESCAPE_PAUSE_MS, resolve))
      if (isWanted()) await onResume()
    }
    if (!isWanted()) return
    await input.write(chunk)
  }
}
