/** The text of a finished send: its output, then what the model could not see in it. */
import type { RemainingProcess, SendResult, Unseen, Viewport } from '@agent-terminals/terminal'
import { cleanLine, cleanText } from './clean.js'
import type { Fact } from './compose.js'
import { remainingFacts } from './remaining.js'
import { type Advice, standingFact } from './state.js'
import { count, exitFact } from './words.js'

/** What a result is compared with. */
export interface SendContext extends Advice {
  /** Working directory before the send, when it was known. */
  readonly previousCwd?: string
  /** Whether a person took the keyboard while the send ran. */
  readonly isClaimedByClient: boolean
  /** What lives on after the end of the shell, when that was asked. */
  readonly remaining?: readonly RemainingProcess[]
}

/** Facts in order of interest. Only those that say more than the output does. */
export function sendFacts(result: SendResult, context: SendContext): readonly Fact[] {
  return [
    unseenFact(result),
    omittedFact(result.viewport, result.truncated),
    outcomeFact(result),
    standingFact(result, context),
    result.cwd !== undefined && result.cwd !== context.previousCwd
      ? { text: `cwd ${cleanLine(result.cwd, 1024)}`, short: `cwd ${cleanLine(result.cwd, 32)}` }
      : undefined,
    pendingFact(result.pendingInputBytes),
    ...remainingFacts(context.remaining ?? []),
    context.isClaimedByClient
      ? {
          text: 'a person has taken the keyboard; you can read and list, and send again once it is given back',
          short: 'a person has the keyboard',
        }
      : undefined,
    result.promptDetection === 'lost'
      ? {
          text: 'prompt detection lost: exit codes and cwd are unknown until the first shell of this terminal is back',
          short: 'prompt detection lost',
        }
      : undefined,
    ...result.notes.map((note) => ({ text: cleanLine(note, 400) })),
  ].filter((fact) => fact !== undefined)
}

/** Exit code when it is not 0; when there is nothing else to see, that there was none. */
function outcomeFact(result: SendResult): Fact | undefined {
  if (result.state === 'ended') return undefined
  const isSilent = cleanText(result.viewport.text).trim() === ''
  if (result.exitCode !== undefined && (result.exitCode !== 0 || isSilent)) {
    return exitFact(result.exitCode, result.durationMs, isSilent && result.exitCode === 0 ? ', no output' : '')
  }
  return isSilent && result.state === 'prompt' && unseenFact(result) === undefined ? { text: 'no output' } : undefined
}

/** What a model that waits on would otherwise never hear of. A screen shows what it shows. */
function unseenFact({ unseen, state }: SendResult): Fact | undefined {
  if (unseen === undefined) return undefined
  const end = unseen.durationMs === undefined ? undefined : describeEnd(unseen)
  const lines = unseen.lines > 0 && state !== 'fullscreen' ? `${count(unseen.lines, 'line')} of output` : undefined
  if (end === undefined && lines === undefined) return undefined
  const where = lines === undefined ? '' : `, terminal_read shows ${unseen.lines === 1 ? 'it' : 'them'}`
  const what = [end, lines].filter((each) => each !== undefined).join('; ')
  return {
    text: `since the last send: ${what}${where}`,
    short: `since the last send: ${end ?? lines}`,
    isEssential: true,
  }
}

const describeEnd = ({ exitCode, durationMs }: Unseen) =>
  exitCode === undefined ? 'the command has ended' : exitFact(exitCode, durationMs).text

function omittedFact({ omittedBytes, omittedLines }: Viewport, isTruncated: boolean): Fact | undefined {
  if (omittedBytes === 0 && omittedLines === 0 && !isTruncated) return undefined
  const lines = omittedLines > 0 ? `${count(omittedLines, 'line')}, ` : ''
  const amount =
    omittedBytes > 0 || omittedLines > 0 ? `${lines}${count(omittedBytes, 'byte')} of output` : 'some output'
  return { text: `${amount} left out; terminal_read pages through what is retained`, short: `${amount} left out` }
}

function pendingFact(pendingInputBytes: number | undefined): Fact | undefined {
  if (pendingInputBytes === undefined || pendingInputBytes === 0) return undefined
  return {
    text: `${count(pendingInputBytes, 'byte')} of the input not taken yet; the program will get them when it reads`,
    short: `${count(pendingInputBytes, 'byte')} of input pending`,
  }
}
