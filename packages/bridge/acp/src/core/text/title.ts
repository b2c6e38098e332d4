/** Titles of tool calls. Sheet REG-5, REG-8: the command as typed, never empty, bounded. */

const MAX_TITLE_UNITS = 4000

export function renderTitle(title: string, fallback: string): string {
  const text = title.replace(/\p{Surrogate}/gu, '\ufffd')
  if (text.trim() === '') return fallback
  if (text.length <= MAX_TITLE_UNITS) return text
  const head = text.slice(0, MAX_TITLE_UNITS - 1)
  return `${head.replace(/[\ud800-\udbff]$/, '')}…`
}
