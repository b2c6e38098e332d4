/** A tool that reports prepared pieces of output: any split of a stream, any end. */
import type { RenderIntent, ToolResult } from '@agent-terminals/tools/contract'
import { z } from 'zod'
import type { House } from './house.js'

export interface Pieces {
  readonly pieces: readonly string[]
  readonly result?: ToolResult
  readonly exit?: { readonly exitCode: number | null; readonly signal: string | null }
  /** Throw after the pieces. */
  readonly fails?: boolean
}

/** Registered as `pieces`. */
export function registerPieces(house: House, { pieces, result, exit, fails }: Pieces): void {
  house.root.tools.register({
    name: 'pieces',
    description: 'prepared output',
    input: z.strictObject({}),
    async execute(_args, exec) {
      for (const text of pieces) exec.progress({ kind: 'output', text })
      if (fails) throw new Error('the tool broke')
      return result ?? { content: [{ type: 'text', text: pieces.join('') }] }
    },
    presentCall: (): RenderIntent => ({ card: 'terminal', title: 'pieces', cwd: house.cwd }),
    presentResult: (): RenderIntent => ({ card: 'terminal', title: 'pieces', ...(exit ? { exit } : {}) }),
  })
}

export const callPieces = { tool: 'pieces', args: {} } as const
