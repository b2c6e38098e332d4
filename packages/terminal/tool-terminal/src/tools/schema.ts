/** Pieces of the tools' schemas that occur more than once. */
import { TERMINAL_STATES, WAIT_REASONS } from '@agent-terminals/terminal'
import { z } from 'zod'

export const sessionId = z.string().describe('Id from terminal_open or terminal_list.')

/** Life of the terminal's top-level process, not of the command in it. */
export const sessionStatus = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('running') }),
  z.strictObject({ kind: z.literal('exited'), exitCode: z.int() }),
  z.strictObject({ kind: z.literal('signalled'), signal: z.string() }),
])

export const waitReason = z.enum(WAIT_REASONS)
export const terminalState = z.enum(TERMINAL_STATES)
