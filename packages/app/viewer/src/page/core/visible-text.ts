/** Text from programs and other people, as it may stand on the page. */

/**
 * Control characters, half characters, line ends, and characters that are not seen but turn the reading direction or hide:
 * they could make a title look like something else. What joins and colours emoji stays.
 */
const UNSAFE =
  /\p{Cc}|\p{Surrogate}|\p{Bidi_Control}|[\u2028\u2029]|(?![\ufe0f\u200d])\p{Default_Ignorable_Code_Point}/gu

const DELETE = 0x7f
/** Unicode's pictures of the control characters, in their order. */
const CONTROL_PICTURES = 0x2400
const DELETE_PICTURE = '\u2421'
const REPLACEMENT = '\ufffd'

/** What stands for a character that must not act. */
function pictureOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code)
  return code === DELETE ? DELETE_PICTURE : REPLACEMENT
}

/**
 * One line in which control characters, half characters and characters that deceive are shown by a picture.
 * @param maxPoints - longest result in code points; the end is cut off and marked.
 */
export function visibleText(text: string, maxPoints = 200): string {
  // Enough of it for the result, so that a huge text costs nothing; a pair cut in two is shown as a half.
  const points = [...text.slice(0, 2 * maxPoints + 2)]
  const shown = points.length > maxPoints ? [...points.slice(0, maxPoints - 1), '…'] : points
  return shown.join('').replace(UNSAFE, pictureOf)
}
