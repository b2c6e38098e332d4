export function findOwnErrors(output: string): string[]
