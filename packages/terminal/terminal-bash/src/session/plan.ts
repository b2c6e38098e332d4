import { type SendRequest, TerminalError } from '@agent-terminals/terminal'
import { ESC, type InputShape, type InputTarget, planInput, planKeys, type StartFact } from '../core/index.js'
import type { FedLine } from './line-feeder.js'
import { compilePattern, type LineMatcher } from './output-match.js'
import type { SessionParts } from './parts.js'
import { startModes } from './stream.js'

/** What a send writes, and how things stand just before it does. */
export interface Plan {
  readonly start: StartFact
  readonly chunks: readonly string[]
  /** What the line editor is given first. */
  readonly firstLine: string
  /** Lines that follow, each when the shell asks for it. */
  readonly later: readonly FedLine[]
  /** The shell itself takes the input, at its prompt. */
  readonly isAtPrompt: boolean
  /** Input whose echo by a program is recognised by its text. */
  readonly echo: string
  /** What `waitFor` looks for. */
  readonly isMatch: LineMatcher | undefined
  readonly notes: readonly string[]
}

/**
 * Decide what to write, by who will read it.
 * @throws TerminalError `INPUT_TOO_LONG`, `KEY_UNKNOWN` or `PATTERN_INVALID`, before anything is written.
 */
export async function planSend(parts: SessionParts, request: SendRequest): Promise<Plan> {
  const { stream, foreground, clock, handle, record } = parts
  const isMatch = request.waitFor && (await compilePattern(request.waitFor))
  const before = await foreground.look().catch(() => undefined)
  const { phase, modes } = stream
  const isAtPrompt = (phase === 'prompt' || phase === 'continuation') && before?.isShell !== false
  const { submit } = request
  const keys = encodeKeys(request, modes)
  const text = keys?.join('') ?? request.text
  const isInput = text !== '' || submit
  // Without a continuation prompt to be seen, lines cannot be typed as they are asked for.
  const isFed = isAtPrompt && submit && !keys && record.editorSeen
  const lines = isFed ? splitCommandLines(text) : [text]
  const plan = planInput({
    text: lines[0] ?? '',
    submit,
    target: isAtPrompt && !keys ? 'prompt' : isInput ? await findTarget(parts, text) : 'raw',
    bracketedPaste: modes.bracketedPaste,
    maxCanonicalBytes: handle.maxCanonicalBytes,
  })
  if (plan.kind === 'refused') throw new TerminalError(plan.code, plan.message)
  const chunks = keys ? [...keys, ...(submit ? ['\r'] : [])] : plan.chunks
  return {
    start: {
      type: 'start',
      at: clock.now(),
      input: !isInput ? 'none' : lines.length > 1 ? 'lines' : shapeOf(text, submit, chunks),
      ...(isInput && chunks.at(-1)?.endsWith(ESC) ? { endsInEscape: true } : {}),
      phase: isAtPrompt && submit && !record.editorSeen ? 'running' : phase,
      ...(before ? { before } : {}),
      ...startModes(stream),
    },
    chunks: isInput ? chunks : [],
    // What keys make of a line is known from the screen only.
    firstLine: keys ? '' : (lines[0] ?? ''),
    later: lines.slice(1).map((line) => planLine(line, modes.bracketedPaste)),
    isAtPrompt,
    echo: text,
    isMatch,
    notes: keys ? [] : plan.notes,
  }
}

/**
 * The whole input as key presses, when there are keys in it.
 * @throws TerminalError `KEY_UNKNOWN`.
 */
function encodeKeys(
  { text, keys }: SendRequest,
  modes: SessionParts['stream']['modes'],
): readonly string[] | undefined {
  if (!keys) return undefined
  const pieces = text === '' ? keys : [{ text }, ...keys]
  const plan = planKeys(pieces, { applicationCursor: modes.keypad, bracketedPaste: modes.bracketedPaste })
  if (plan.kind === 'unknown') throw new TerminalError('KEY_UNKNOWN', plan.message)
  return plan.chunks
}

/** Keys on which the terminal itself acts are not lines. */
const KERNEL_KEYS = /[\x03\x11\x13\x1a\x1c]/
const LINE_END = /(?<!\r)\r(?!\n)|\n/

/** A carriage return before a newline belongs to its line; alone it is an Enter. */
function splitCommandLines(text: string): string[] {
  return KERNEL_KEYS.test(text) ? [text] : text.split(LINE_END)
}

function planLine(line: string, bracketedPaste: boolean): FedLine {
  const plan = planInput({ text: line, submit: true, target: 'prompt', bracketedPaste, maxCanonicalBytes: 0 })
  return { text: line, bytes: plan.kind === 'write' ? plan.chunks.join('') : `${line}\r` }
}

/** The line discipline's settings are asked for only when a line could be too long for it. */
async function findTarget({ stream, foreground, handle }: SessionParts, text: string): Promise<InputTarget> {
  if (stream.modes.alternateScreen) return 'screen'
  if (Buffer.byteLength(text) < handle.maxCanonicalBytes) return 'raw'
  const attributes = await foreground.attributes().catch(() => undefined)
  return attributes?.canonical ? 'canonical' : 'raw'
}

/** Text that was pasted or quoted is one line to the line editor, whatever is in it. */
function shapeOf(text: string, submit: boolean, chunks: readonly string[]): InputShape {
  if (submit && chunks.length === 2 && chunks[0] !== text) return 'line'
  const enters = (text.match(/\r\n|[\r\n]/g)?.length ?? 0) + (submit ? 1 : 0)
  if (enters === 0) return 'partial'
  return enters === 1 && (submit || /[\r\n]$/.test(text)) ? 'line' : 'lines'
}
