/** One thing the doctor looked at, and what it found. */
export interface Check {
  readonly name: string
  /** `warn` costs something and is survivable; `fail` means that the composition cannot do its work. */
  readonly status: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** One step to mend it. */
  readonly advice?: string
}

export function renderChecks(
  checks: readonly Check[],
  paint: (status: Check['status'], text: string) => string,
): string {
  const marks = { ok: '✔', warn: '!', fail: '✘' } as const
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .map(({ name, status, detail, advice }) => {
      const line = `${paint(status, marks[status])} ${name.padEnd(width)}  ${detail}`
      return advice === undefined ? line : `${line}\n  ${' '.repeat(width)}  → ${advice}`
    })
    .join('\n')
}
