export function findProblems(manifest: object, files: readonly string[]): string[]
