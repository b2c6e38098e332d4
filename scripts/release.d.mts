export function dateChangelog(changelog: string, version: string, date: string): string
export function checkVersion(version: string | undefined, present: string): void
