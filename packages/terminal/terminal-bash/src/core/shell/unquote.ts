/**
 * Reads one word as bash quotes it: `${word@Q}` (`'…'`, `$'…'`) and `printf %q` (`\ ` and `$'…'`).
 * Bash reference manual, "Quoting", "ANSI-C Quoting".
 */
const NAMED: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  e: 0x1b,
  E: 0x1b,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
}

/** @returns `undefined` when the quoting is not complete, or the bytes are not UTF-8 and so have no text form. */
export function unquoteShellWord(word: string): string | undefined {
  let text = ''
  for (let at = 0; at < word.length; ) {
    const rest = word.slice(at)
    const part =
      /^'(?<plain>[^']*)'/.exec(rest) ??
      /^\$'(?<ansi>(?:[^'\\]|\\.)*)'/su.exec(rest) ??
      /^\\(?<escaped>.)/su.exec(rest) ??
      /^(?<bare>[^'\\$]+|\$(?!'))/u.exec(rest)
    if (!part?.groups) return undefined
    const { plain, ansi, escaped, bare } = part.groups
    const piece = ansi === undefined ? (plain ?? escaped ?? bare) : unescapeAnsi(ansi)
    if (piece === undefined) return undefined
    text += piece
    at += part[0].length
  }
  return text
}

/** Octal and hexadecimal escapes are bytes, so the text is put together as percent-encoded UTF-8. */
function unescapeAnsi(body: string): string | undefined {
  const encoded = body.replace(
    /\\([0-7]{1,3})|\\x([0-9a-fA-F]{1,2})|\\u([0-9a-fA-F]{1,4})|\\U([0-9a-fA-F]{1,8})|\\(.)|([^\\]+)/gsu,
    (_match, octal, hex, short, long, char, plain) => {
      if (octal !== undefined) return percent(Number.parseInt(octal, 8))
      if (hex !== undefined) return percent(Number.parseInt(hex, 16))
      const code = short ?? long
      if (code !== undefined) return encodeURIComponent(String.fromCodePoint(Number.parseInt(code, 16)))
      if (char !== undefined) return NAMED[char] === undefined ? encodeURIComponent(char) : percent(NAMED[char])
      return encodeURIComponent(plain)
    },
  )
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

function percent(byte: number): string {
  return `%${(byte & 0xff).toString(16).padStart(2, '0')}`
}
