/** How a logged result ended, read from its data and never from its words. Sheet §3.3, EXIT-3, STATUS-3. */
import type { Ending, Exit } from './call-event.js'

/** The parts of a `tool/result` event that decide. */
export interface LoggedResult {
  readonly outcome: 'completed' | 'failed' | 'refused' | 'cancelled'
  readonly isError: boolean
  /** Code of an error. The text ends with it, for the model. */
  readonly code: string | undefined
  /** What the model read. */
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>> | undefined
  /** From a terminal card: output that was not streamed, and how it ended. */
  readonly shownOutput: string | undefined
  readonly exit: Exit | undefined
}

const UNKNOWN: Exit = { exitCode: null, signal: null }

/** @param wasStreamed - whether the client has been shown the output already. */
export function describeEnding(result: LoggedResult, wasStreamed: boolean): Ending {
  const exit = result.exit ?? UNKNOWN
  const notice = noticeOf(result)
  const unstreamed = notice === undefined ? unstreamedOf(result, wasStreamed) : undefined
  return {
    status: isSuccess(result, exit) ? 'completed' : 'failed',
    exit,
    text: plainTextOf(result),
    ...(notice === undefined ? {} : { notice }),
    ...(unstreamed === undefined ? {} : { unstreamed }),
  }
}

function isSuccess(result: LoggedResult, exit: Exit): boolean {
  if (result.outcome !== 'completed' || result.isError || isTimeUp(result)) return false
  return exit.signal === null && (exit.exitCode === null || exit.exitCode === 0)
}

const isTimeUp = ({ structured }: LoggedResult) => structured?.waitReason === 'timeout'

/** A line for the person, where output alone would not tell. */
function noticeOf(result: LoggedResult): string | undefined {
  if (result.outcome === 'cancelled') return '[cancelled]'
  if (result.outcome === 'refused') return `[not run: ${reasonOf(result)}]`
  if (isTimeUp(result)) return '[time limit reached: the program is still running]'
  return undefined
}

/** What a person needs of a refusal: the words. */
function reasonOf({ text, code }: LoggedResult): string {
  const suffix = `[error ${code}]`
  const words = text.trim()
  return words.endsWith(suffix) ? words.slice(0, -suffix.length).trim() : words
}

function unstreamedOf(result: LoggedResult, wasStreamed: boolean): string | undefined {
  const shown = result.shownOutput ?? (result.isError ? result.text : '')
  const text = wasStreamed ? withoutBody(shown, result.structured?.text) : shown
  return text.trim() === '' ? undefined : text.trim()
}

/** An error that keeps the output so far begins with it; the client has it already. OUT-2. */
function withoutBody(text: string, body: unknown): string {
  return typeof body === 'string' && text.startsWith(body) ? text.slice(body.length) : text
}

/** The output alone where the data has all of it, else everything the model read. */
function plainTextOf({ outcome, isError, text, structured }: LoggedResult): string {
  if (outcome === 'cancelled' || outcome === 'refused') return ''
  const isWhole = typeof structured?.text === 'string' && structured.truncated !== true && !isError
  return isWhole ? String(structured.text) : text
}
