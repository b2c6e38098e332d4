export interface Random {
  int(least: number, most: number): number
  chance(share: number): boolean
  pick<Item>(list: readonly Item[]): Item
  pickWeighted<Item extends { readonly weight: number }>(list: readonly Item[]): Item
  word(): string
}
export function createRandom(seed: string): Random
