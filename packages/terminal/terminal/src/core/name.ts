/** Display names. Seed, "Agent ownership and identity": metadata, unique within the owner, never an authority. */

/** Control characters, line separators, halves of surrogate pairs and marks that reorder text. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u

/** @returns what is wrong with a name, or `undefined`. `maxLength` counts code points. */
export function findNameProblem(name: string, maxLength: number): string | undefined {
  if (name.trim() === '') return 'it is empty'
  const length = [...name].length
  if (length > maxLength) return `it has ${length} characters, at most ${maxLength} are allowed`
  if (FORBIDDEN.test(name)) return 'it contains control characters'
  return undefined
}

/** Two spellings of the same characters are the same name. */
export function isSameName(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && left.normalize('NFC') === right.normalize('NFC')
}
