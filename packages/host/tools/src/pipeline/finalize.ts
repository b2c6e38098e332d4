/** The last step of a result: the tool's own form, then the shape everybody can rely on. */
import type { Agent } from '@agent-terminals/agents/contract'
import type { ToolDefinition, ToolResult } from '../contract.js'
import { copyResult, createErrorResult } from './result.js'

/**
 * Let the tool bring a result into its final form. One that cannot, gets a short fixed error instead: the failed form may
 * be what its bound was meant to keep out.
 */
export function finalizeResult(
  definition: ToolDefinition | undefined,
  result: ToolResult,
  call: { readonly args: unknown; readonly agent: Agent },
): ToolResult {
  if (!definition?.finalizeContent) return result
  try {
    const final = copyResult(definition.finalizeContent(result, call))
    if (final) return final
  } catch {
    // Told by the code of the result.
  }
  return createErrorResult('FINALIZE_FAILED', 'The result could not be shown.')
}
