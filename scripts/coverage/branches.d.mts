export interface FileBranches {
  readonly path: string
  readonly lines: { readonly all: number; readonly covered: number }
  readonly branches: { readonly all: number; readonly covered: number }
  readonly texts: ReadonlyMap<string, boolean>
}
export function readBranches(coverage: object, root: string): readonly FileBranches[]
export function clipText(text: string): string
