export function findBrokenLinks(root: string, pages: readonly string[]): string[]
