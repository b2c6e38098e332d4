/** Titles as people may see them. */

/** One line without control characters and without marks that turn the reading direction, bounded; `undefined` when nothing is left. */
export function cleanTitle(title: string, maxLength: number): string | undefined {
  const clean = title.replaceAll(/ *[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+ */gu, ' ').trim()
  const points = [...clean].slice(0, maxLength).join('')
  return points === '' ? undefined : points
}
