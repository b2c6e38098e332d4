import { randomBytes } from 'node:crypto'
import type { TerminalSessionId } from './types.js'

/** Letters and digits that cannot be taken for one another (Crockford's base 32, lower case). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16

/** @returns a new opaque id: 80 random bits, so that ids can be neither guessed nor counted. */
export function mintSessionId(): TerminalSessionId {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
  return `term-${letters.join('')}` as TerminalSessionId
}
