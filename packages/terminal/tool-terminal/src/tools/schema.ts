/** Pieces of the tools' schemas that occur more than once. */
import { TERMINAL_STATES, WAIT_REASONS } from '@agent-terminals/terminal'
import { z } from 'zod'

/** Parts are put together when a deployment is known; what they add up to is said here, because no type can follow it. */
export const assembled = <Output>(schema: z.ZodType): z.ZodType<Output> => schema as z.ZodType<Output>

export const sessionId = z.string().describe('Id from terminal_open or terminal_list.')

/** Life of the terminal's top-level process, not of the command in it. */
export const sessionStatus = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('running') }),
  z.strictObject({ kind: z.literal('exited'), exitCode: z.int() }),
  z.strictObject({ kind: z.literal('signalled'), signal: z.string() }),
])

export const waitReason = z.enum(WAIT_REASONS)
export const terminalState = z.enum(TERMINAL_STATES)
