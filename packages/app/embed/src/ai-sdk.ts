/** The tools in the shape of the AI SDK (`ai` 6). */
import { joinBlocks } from '@agent-terminals/text'
import type { ToolResult } from '@agent-terminals/tools/contract'
import { jsonSchema, type Tool, tool } from 'ai'
import type { Terminals } from './types.js'

/** What a tool's `execute` resolves to. The model reads `text`; a program reads `data` and branches on `code`. */
export interface ToolOutput {
  readonly text: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
  readonly code?: string
}

/**
 * The terminal and job tools as a tool set for `generateText`, `streamText` and agents. Calls go through the same pipeline as
 * everywhere: validation, bounds, errors as results. Aborting a generation interrupts the program in the foreground.
 */
export function asAiSdkTools(terminals: Terminals): Record<string, Tool<unknown, ToolOutput>> {
  const { ctx, agent } = terminals
  return Object.fromEntries(ctx.tools.list().map(({ name, description }) => [name, defineTool(name, description)]))

  function defineTool(name: string, description: string): Tool<unknown, ToolOutput> {
    return tool({
      description,
      // Without a validator of its own: the pipeline checks, and tells the model what is wrong.
      inputSchema: jsonSchema<unknown>(ctx.tools.inputSchema(name)),
      async execute(args: unknown, { abortSignal }): Promise<ToolOutput> {
        const { result } = await ctx.tools.execute({
          agent,
          name,
          args,
          ...(abortSignal ? { signal: abortSignal } : {}),
        })
        return toOutput(result)
      },
      toModelOutput: ({ output }: { readonly output: ToolOutput }) => ({
        type: output.isError ? ('error-text' as const) : ('text' as const),
        value: output.text,
      }),
    })
  }
}

function toOutput({ content, structured, isError, code }: ToolResult): ToolOutput {
  return {
    text: joinBlocks(content),
    ...(structured === undefined ? {} : { data: structured }),
    ...(isError === undefined ? {} : { isError }),
    ...(code === undefined ? {} : { code }),
  }
}
