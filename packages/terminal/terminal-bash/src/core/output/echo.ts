/**
 * Recognises the echo of submitted text by what the terminal shows: the kernel's echo and a line editor's redraws end in the same
 * visible line. What is not recognised stays.
 */

/** Lines looked at before later lines of the echo are given up. */
const MAX_LINES = 256
/** A continuation prompt in front of an echoed line: short and ending like a prompt. */
const PROMPT = /^.{0,40}(?:>|\.{3}|[$#%:?\]]) ?$/u
/** The same alone on its line, where only the plainest may be taken for one. */
const BARE_PROMPT = /^(?:\S{0,30}>|\.{3})? ?$/u

export class EchoFilter {
  private readonly expected: string[]
  private at = 0
  private seen = 0
  private wasEcho = true

  /**
   * @param text - input as it was sent, without the Enter that submitted it.
   * @param prompt - what the line held before: a line editor may write it again.
   */
  constructor(
    text: string,
    private readonly prompt: string,
  ) {
    this.expected = text.replace(/\r\n?/g, '\n').split('\n').map(echoOf)
  }

  /** Whether lines still have to be shown to the filter one by one. */
  get isPending(): boolean {
    return this.at < this.expected.length
  }

  /** A visible line is complete. @returns whether it is echo, to be left out. */
  takeLine(line: string): boolean {
    if (!this.isPending) return false
    this.seen += 1
    const isEcho = this.matches(line)
    if (isEcho) this.at += 1
    else if (this.at === 0 || this.seen > MAX_LINES) this.at = this.expected.length
    this.wasEcho = isEcho
    return isEcho
  }

  /** Whether the unfinished line is exactly the echo expected next. */
  isEchoSoFar(line: string): boolean {
    return this.isPending && line !== '' && this.matches(line)
  }

  giveUp(): void {
    this.at = this.expected.length
  }

  private matches(line: string): boolean {
    const expected = this.expected[this.at] as string
    const shown = squeezed(line)
    if (this.at === 0) return shown === expected || shown === squeezed(this.prompt) + expected
    if (shown === expected) return this.wasEcho
    if (!shown.endsWith(expected)) return false
    if (expected === '') return this.wasEcho && BARE_PROMPT.test(shown)
    return PROMPT.test(shown.slice(0, shown.length - expected.length))
  }
}

/** What a terminal shows for a line of input: controls as `^X` (termios ECHOCTL), a tab as space of some width. */
function echoOf(line: string): string {
  return squeezed(line.replace(/[\0-\x08\x0b-\x1f\x7f]/g, (c) => `^${String.fromCharCode(c.charCodeAt(0) ^ 0x40)}`))
}

function squeezed(line: string): string {
  return line.replace(/[ \t]+/g, ' ')
}
