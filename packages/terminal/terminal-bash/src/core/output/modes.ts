/** Modes, questions and addressing a program's sequences announce. Pure recognition. */
import type { ControlSequence } from './parser.js'
import type { ModeChange, TerminalQuery } from './types.js'

type SwitchedMode = Exclude<ModeChange['mode'], 'cursor-addressing' | 'screen-cleared'>

/** DEC private modes. xterm control sequences, "DEC Private Mode Set". */
const PRIVATE_MODES: ReadonlyMap<number, SwitchedMode> = new Map([
  [1, 'application-cursor'],
  [47, 'alternate-screen'],
  [66, 'application-keypad'],
  [1047, 'alternate-screen'],
  [1049, 'alternate-screen'],
  [2004, 'bracketed-paste'],
])

const NONE: readonly SwitchedMode[] = []

/** DECTCEM: reset hides the cursor. */
const CURSOR_SHOWN = 25

/** Whether a sequence hides or shows the cursor; `undefined` when it says nothing about it. */
export function hidesCursor({ collected, params, final }: ControlSequence): boolean | undefined {
  if (collected !== '?' || (final !== 'h' && final !== 'l') || !params.includes(CURSOR_SHOWN)) return undefined
  return final === 'l'
}

/** Which modes are on, told apart from being set again. */
export class ModeTracker {
  private readonly on = new Set<SwitchedMode>()

  isOn(mode: SwitchedMode): boolean {
    return this.on.has(mode)
  }

  /** @returns whether this changes anything. */
  switch(mode: SwitchedMode, on: boolean): boolean {
    if (this.on.has(mode) === on) return false
    if (on) this.on.add(mode)
    else this.on.delete(mode)
    return true
  }

  all(): readonly SwitchedMode[] {
    return [...this.on]
  }
}

/** Modes a sequence sets or resets, in its order. */
export function switchedModes({ collected, params, final }: ControlSequence): readonly SwitchedMode[] {
  if (collected !== '?' || (final !== 'h' && final !== 'l')) return NONE
  return params.flatMap((param) => PRIVATE_MODES.get(param) ?? [])
}

/**
 * Whether a sequence places the cursor where lines cannot follow. Going home is left out: `clear` does it and draws nothing.
 */
export function isAddressing({ collected, params, final }: ControlSequence): boolean {
  if (collected !== '') return false
  if (final === 'd') return (params[0] ?? 0) > 1
  return (final === 'H' || final === 'f') && ((params[0] ?? 0) > 1 || (params[1] ?? 0) > 1)
}

/** ED 2 empties the screen; so does ED 0 at home, which is how some terminfo entries spell `clear`. */
export function isClearing({ collected, params, final }: ControlSequence, isAtHome: boolean): boolean {
  if (collected !== '' || final !== 'J') return false
  const part = params[0] ?? 0
  return part === 2 || (part === 0 && isAtHome)
}

export function isHoming({ collected, params, final }: ControlSequence): boolean {
  return collected === '' && (final === 'H' || final === 'f') && (params[0] ?? 0) <= 1 && (params[1] ?? 0) <= 1
}

/** OSC 10 and 11 with a question mark. A program that gets no answer may wait for one when it leaves (vim, 100 ms). */
export function colorQueryOf(text: string): TerminalQuery | undefined {
  if (text === '10;?') return 'foreground-color'
  return text === '11;?' ? 'background-color' : undefined
}

export function queryOf({ collected, params, final }: ControlSequence): TerminalQuery | undefined {
  const first = params[0] ?? 0
  if (final === 'n' && collected === '') {
    return first === 6 ? 'cursor-position' : first === 5 ? 'device-status' : undefined
  }
  if (final === 'p' && collected === '?$') return `mode:${first}`
  if (final !== 'c' || first !== 0) return undefined
  return collected === '' ? 'primary-attributes' : collected === '>' ? 'secondary-attributes' : undefined
}
