/** Decides which bytes deliver a text to whoever reads the terminal. Pure; pacing the bytes is the terminal handle's job. */
import { checkCanonicalLines } from './canonical.js'
import { pasteForLineEditor, pasteForProgram, quoteForLineEditor } from './paste.js'

/**
 * Who reads. `prompt`: our shell's line editor, at its primary or continuation prompt. `canonical`: a program that gets whole lines
 * from the kernel. `raw`: a program that gets every byte, line by line in its own way (a REPL). `screen`: one that draws the whole
 * screen, where input is keys and never text to insert.
 */
export type InputTarget = 'prompt' | 'canonical' | 'raw' | 'screen'

export interface InputRequest {
  readonly text: string
  /** Whether Enter follows. Without it the text is a sequence of keys and passes untouched. */
  readonly submit: boolean
  readonly target: InputTarget
  /** Whether the reader has switched bracketed paste on (`ESC [ ? 2004 h`). */
  readonly bracketedPaste: boolean
  /** Longest line a canonical reader can receive, in bytes, newline included. */
  readonly maxCanonicalBytes: number
}

export type InputPlan =
  /** Write the chunks in order, as UTF-8. */
  | { readonly kind: 'write'; readonly chunks: readonly string[]; readonly notes: readonly string[] }
  /** Write nothing: the kernel would cut the line silently. */
  | {
      readonly kind: 'refused'
      readonly code: 'INPUT_TOO_LONG'
      /** Counts from 1. */
      readonly lineNumber: number
      readonly lineBytes: number
      readonly message: string
    }

const ENTER = '\r'
/** Bytes the kernel acts on even while a line editor reads, and that no quoting reaches: ^C, ^Q, ^S, ^Z, ^\. */
const KERNEL_KEYS = /[\x03\x11\x13\x1a\x1c]/
const CONTROLS = /[\x00-\x1f\x7f]/

export function planInput(request: InputRequest): InputPlan {
  const { text, submit, target } = request
  if (target === 'canonical') {
    const tooLong = checkCanonicalLines(text, request.maxCanonicalBytes)
    if (tooLong) return { kind: 'refused', code: 'INPUT_TOO_LONG', ...tooLong }
  }
  if (!submit) return write([text])
  if (target === 'prompt') return planForPrompt(request)
  if (target === 'raw' && request.bracketedPaste && isBlock(text)) {
    const { pasted, removed } = pasteForProgram(text)
    return write([pasted, ENTER], removed ? ['An end-of-paste sequence inside the text was made harmless.'] : [])
  }
  return write([text, ENTER])
}

/**
 * Whether typing the lines of a text one by one would change it in a program's line editor: tabs complete, and an editor that
 * indents by itself adds to indented lines. Other lines are typed: to programs on GNU readline (gdb) a paste is *one* line.
 */
function isBlock(text: string): boolean {
  return /\t|[\n\r] /.test(text)
}

/**
 * Text without control characters is typed as it is. Otherwise nothing in it may act as a key: newlines must not submit, tabs not
 * complete. Bracketed paste does that where it is on; quoting every control character (`^V`) does the same where it is not.
 */
function planForPrompt({ text, bracketedPaste }: InputRequest): InputPlan {
  if (KERNEL_KEYS.test(text)) {
    return write(
      [text, ENTER],
      [
        'The text holds control characters on which the terminal itself acts (such as ^C): all of it was sent as key presses.',
      ],
    )
  }
  if (!CONTROLS.test(text)) return write([text, ENTER])
  return write([bracketedPaste ? pasteForLineEditor(text) : quoteForLineEditor(text), ENTER])
}

function write(chunks: readonly string[], notes: readonly string[] = []): InputPlan {
  return { kind: 'write', chunks: chunks.filter((chunk) => chunk !== ''), notes }
}
