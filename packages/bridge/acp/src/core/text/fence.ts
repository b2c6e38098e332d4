/** A fenced block whose content cannot close it. CommonMark 0.31 §4.5: a closing fence is at least as long as the opening. */
export function fence(text: string, language = ''): string {
  const runs = text.match(/`+/g) ?? []
  const ticks = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)))
  return `${ticks}${language}\n${text}\n${ticks}`
}
