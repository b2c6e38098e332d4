export class BrokenPromise extends Error {}
export function expectLines(text: string, lines: readonly string[]): void
