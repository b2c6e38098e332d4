import type { FileBranches } from './branches.mjs'

export interface Explained {
  readonly path: string
  readonly text: string
  readonly why: string
  readonly isSometimes: boolean
}
interface Place {
  readonly path: string
  readonly text: string
}
export function parsePage(markdown: string): readonly Explained[]
export function findUnreadRows(markdown: string): readonly string[]
export function compare(
  files: readonly Pick<FileBranches, 'path' | 'texts'>[],
  explained: readonly Explained[],
): {
  readonly unexplained: readonly Place[]
  readonly covered: readonly Explained[]
  readonly gone: readonly Explained[]
}
