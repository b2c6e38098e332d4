export interface Stock {
  readonly census: Readonly<Record<string, number>>
  readonly heapMiB: number
  readonly rssMiB: number
}
export function findLeft(first: Stock, now: Stock): readonly string[]
export function judgeMemory(
  stocks: readonly Stock[],
): readonly { readonly words: string; readonly isFlat: boolean | undefined; readonly text: string }[]
