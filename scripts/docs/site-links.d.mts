export function rewriteLinks(text: string, page: string, shown: ReadonlySet<string>): string
