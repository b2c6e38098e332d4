/** Tools as MCP describes them. Model Context Protocol 2025-11-25, "Server Features / Tools". */

/** A tool as it is registered. */
export interface ToolFacts {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined
  readonly effects: ToolEffectFacts | undefined
}

export interface ToolEffectFacts {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly openWorld: boolean
}

export interface McpToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export interface McpTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly outputSchema?: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly annotations: McpToolAnnotations
}

/** A tool that does not say what it does is announced as able to do everything, as MCP's own defaults have it. */
const UNKNOWN_EFFECTS: ToolEffectFacts = { readOnly: false, destructive: true, idempotent: false, openWorld: true }

export const hasObjectSchema = (schema: Readonly<Record<string, unknown>> | undefined) => schema?.type === 'object'

export function describeTool({ name, description, inputSchema, outputSchema, effects }: ToolFacts): McpTool {
  const { readOnly, destructive, idempotent, openWorld } = effects ?? UNKNOWN_EFFECTS
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    // MCP allows objects only; a tool with another shape gives its text.
    ...(hasObjectSchema(outputSchema) ? { outputSchema: { ...outputSchema, type: 'object' } } : {}),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  }
}
