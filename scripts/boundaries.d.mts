export function findViolations(root: string, folders: readonly string[]): Promise<string[]>
