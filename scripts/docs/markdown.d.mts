export interface Page {
  readonly title: string | undefined
  readonly links: readonly { readonly href: string; readonly line: number }[]
  readonly anchors: ReadonlySet<string>
  readonly blocks: readonly { readonly info: string; readonly code: string; readonly line: number }[]
}
export function listPages(root: string): string[]
export function parseMarkdown(text: string): Page
