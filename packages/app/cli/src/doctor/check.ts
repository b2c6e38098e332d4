/** One thing the doctor looked at, and what it found. */
export interface Check {
  readonly name: string
  /** `warn` costs something and is survivable; `fail` means that the composition cannot do its work. */
  readonly status: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** One step to mend it. */
  readonly advice?: string
  /** What to know about it all the same, one sentence each. */
  readonly notes?: readonly string[]
}

export function renderChecks(
  checks: readonly Check[],
  paint: (status: Check['status'], text: string) => string,
): string {
  const marks = { ok: '✔', warn: '!', fail: '✘' } as const
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .flatMap(({ name, status, detail, advice, notes = [] }) => {
      const below = (sign: string, text: string) => `  ${' '.repeat(width)}  ${sign} ${text}`
      return [
        `${paint(status, marks[status])} ${name.padEnd(width)}  ${detail}`,
        ...(advice === undefined ? [] : [below('→', advice)]),
        ...notes.map((note) => below('·', note)),
      ]
    })
    .join('\n')
}
