import type { InterruptSignal, Target } from '../core/index.js'
import type { SessionParts } from './parts.js'
import { LOOK_PATIENCE_MS, waitWithPatience } from './patience.js'

/** VKILL, termios(3): erases the line that the kernel is collecting. */
const KILL_LINE = '\x15'

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && (error as { readonly code?: unknown }).code === code

/**
 * Deliver one signal of the ladder to the group that holds the terminal. The shell gets SIGINT and nothing stronger, and not at
 * once when the program before it has just gone: an interrupt that it takes at its prompt would cost the next input its line.
 * @param before - what the signal before went to; absent for the first.
 * @throws what the host reports when nothing could be delivered.
 */
export async function deliver(
  parts: SessionParts,
  signal: InterruptSignal,
  before: Target | undefined,
): Promise<Target> {
  const { foreground, handle, input } = parts
  const look = await foreground.look().catch(() => undefined)
  const isShell = look?.isShell === true
  if (isShell && before !== undefined && !before.isShell) return { pgid: look.pgid, isShell, isSpared: true }
  await erasePartialLine(parts)
  try {
    const { pgid } = await handle.signalForeground(isShell ? 'SIGINT' : signal)
    // Between the look and the signal the shell may have given the terminal to a copy of itself.
    const isShellCopy = look !== undefined && pgid === look.pgid ? look.isShellCopy === true : isShell
    return { pgid, isShell: isShell || foreground.isShellGroup(pgid), ...(isShellCopy ? { isShellCopy } : {}) }
  } catch (error) {
    if (signal !== 'SIGINT' || !hasCode(error, 'NO_FOREGROUND')) throw error
    // Nothing can name the group here: the line discipline still knows it, and turns ^C into the same signal.
    await input.write('\x03')
    return { isShell }
  }
}

/** A line that no Enter has completed cannot be read away, and would become the beginning of the shell's next command. */
async function erasePartialLine({ foreground, input, clock }: SessionParts): Promise<void> {
  if (!input.endsInsideLine) return
  const attributes = await foreground.attributes().catch(() => undefined)
  // A program that takes no input at all must not keep the signal from being sent.
  if (attributes?.canonical) await waitWithPatience(clock, input.write(KILL_LINE), LOOK_PATIENCE_MS)
  input.endsInsideLine = false
}
