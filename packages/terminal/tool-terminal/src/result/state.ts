/** What a terminal's state means for the model, and what to do next. Architecture §4.2. */
import type { SessionStatus, TerminalState, TerminalWaitReason } from '@agent-terminals/terminal'
import { cleanLine } from './clean.js'
import type { Fact } from './compose.js'
import { renderDuration, renderStatus } from './words.js'

/** The part of a send's result that says why it returned. */
export interface Standing {
  readonly waitReason: TerminalWaitReason
  readonly state: TerminalState
  readonly sessionStatus: SessionStatus
  readonly elapsedMs: number
  readonly foreground?: string
  readonly quietMs?: number
  readonly redrawingMs?: number
  readonly matched?: string
}

export interface Advice {
  /** Whether `run_in_background` can be recommended. */
  readonly canRunInBackground: boolean
}

/** How to leave well-known full-screen programs, as `terminal_send` arguments. */
const LEAVE = new Map<string, string>([
  ['vi', '"\\u001b:q!"'],
  ['vim', '"\\u001b:q!"'],
  ['nvim', '"\\u001b:q!"'],
  ['view', '"\\u001b:q!"'],
  ['less', '"q" and submit false'],
  ['man', '"q" and submit false'],
  ['pager', '"q" and submit false'],
  ['top', '"q" and submit false'],
  ['htop', '"q" and submit false'],
  ['nano', '"\\u0018" and submit false'],
  ['pico', '"\\u0018" and submit false'],
  // Debian's name for whichever editor is installed; git starts it.
  ['editor', '"\\u0018" and submit false if it is nano, "\\u001b:q!" if it is vi'],
  ['emacs', '"\\u0018\\u0003" and submit false'],
  ['tmux: client', '"\\u0002d" and submit false'],
  ['dialog', '"\\u001b" and submit false'],
  ['whiptail', '"\\u001b" and submit false'],
])

const GO_ON = 'wait on with text "" and submit false, look with terminal_read, or stop it with terminal_signal SIGINT'

/** The fact about why the send returned. Nothing when the shell is back at its prompt, as proven. */
export function standingFact(standing: Standing, advice: Advice): Fact | undefined {
  if (standing.state === 'prompt' && standing.waitReason === 'stdin_read') return undefined
  if (standing.waitReason === 'output_match') return matchFact(standing)
  return {
    text: `${standing.waitReason}: ${describeState(standing, advice)}`,
    short: `${standing.waitReason}: ${shortState(standing)}`,
    isEssential: true,
  }
}

/** The awaited output is there; whatever printed it may go on. */
function matchFact({ matched = '', state }: Standing): Fact {
  const now = state === 'prompt' ? 'the shell is at its prompt' : `the terminal is ${state}`
  return {
    text: `output_match: ${JSON.stringify(cleanLine(matched))}; ${now}`,
    short: `output_match, ${state}`,
    isEssential: true,
  }
}

function shortState({ state, sessionStatus }: Standing): string {
  return state === 'ended' ? renderStatus(sessionStatus) : state
}

function describeState(standing: Standing, advice: Advice): string {
  const program = standing.foreground === undefined ? 'the program' : cleanLine(standing.foreground, 40)
  const guess = standing.waitReason === 'inferred_idle' ? ' (inferred from silence, not proven)' : ''
  switch (standing.state) {
    case 'prompt':
      return standing.waitReason === 'timeout'
        ? 'the shell is at its prompt'
        : `the shell seems to be at its prompt${guess}`
    case 'continuation':
      return `the shell waits for the rest of an unfinished command${guess}; send the rest, or drop it with terminal_signal SIGINT`
    case 'line':
      return `${program} waits for a line of input${guess}`
    case 'hidden':
      return `${program} waits for hidden input such as a password${guess}; let a person type it into this terminal, do not ask for it or send it; terminal_signal SIGINT gives it up`
    case 'key':
      return `${program} waits for a single key${guess}; send it with submit false (q leaves most pagers and menus)`
    case 'fullscreen':
      return `${program} has the whole screen${guess}; ${leaveAdvice(program)} before going on`
    case 'stopped':
      return 'the program is stopped; send "fg" to resume it or "kill %1" to end it'
    case 'ended':
      return `the terminal has ended (${renderStatus(standing.sessionStatus)}); open another with terminal_open`
    case 'busy':
      return `${program} is still running after ${renderDuration(standing.elapsedMs)}${describeOutput(standing)}; ${GO_ON}${jobAdvice(advice)}`
    case 'quiet':
      return `${program} is alive but has been silent for ${renderDuration(standing.quietMs ?? standing.elapsedMs)} and reads no input; perhaps it serves, waits or computes${guess}; ${GO_ON}`
  }
}

function describeOutput({ quietMs, redrawingMs }: Standing): string {
  if (redrawingMs !== undefined) return `, for ${renderDuration(redrawingMs)} only redrawing one line`
  return quietMs !== undefined && quietMs >= 1000 ? `, silent for ${renderDuration(quietMs)}` : ''
}

function leaveAdvice(program: string): string {
  const keys = LEAVE.get(program)
  return keys === undefined ? 'leave it (often with "q" or "\\u0003" and submit false)' : `leave it with text ${keys}`
}

function jobAdvice({ canRunInBackground }: Advice): string {
  return canRunInBackground ? '; long work is better started with run_in_background' : ''
}
