/** Content of a tool's result as the one text that a model reads. */

/** A block as `@agent-terminals/tools/contract` has it. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: unknown }

/** Blocks one below the other, data as JSON on one line. */
export function joinBlocks(content: readonly Block[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block.value))).join('\n')
}
