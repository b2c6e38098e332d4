/** The kernel's line limit: termios(3), "Canonical and noncanonical mode". */

export interface LineTooLong {
  readonly lineNumber: number
  readonly lineBytes: number
  readonly message: string
}

/** A line of canonical input ends at a newline, at Enter, or at ^D. One that is not ended yet must have room for its end. */
export function checkCanonicalLines(text: string, maxCanonicalBytes: number): LineTooLong | undefined {
  const lines = text.split(/\r\n|[\n\r\x04]/)
  for (const [index, line] of lines.entries()) {
    const lineBytes = utf8Length(line) + 1
    if (lineBytes <= maxCanonicalBytes) continue
    const lineNumber = index + 1
    const message =
      `Line ${lineNumber} of the input has ${lineBytes - 1} bytes, but a program that reads whole lines can receive at most ` +
      `${maxCanonicalBytes - 1} here; the rest would be lost without notice. Nothing was sent. Put the text into a file and let ` +
      'the program read that, or break the line.'
    return { lineNumber, lineBytes, message }
  }
  return undefined
}

function utf8Length(text: string): number {
  let bytes = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
