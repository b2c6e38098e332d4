import type { ToolResult } from '@agent-terminals/tools/contract'

/** The text a model read. */
export function readResultText(result: ToolResult): string {
  return result.content
    .map((block) => (block.type === 'text' ? block.text : JSON.stringify(block.value, null, 2)))
    .join('\n')
}
