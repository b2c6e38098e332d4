/** Arguments and data of `terminal_send`. */
import type { InputPiece } from '@agent-terminals/terminal'
import { z } from 'zod'
import { sessionId, sessionStatus, terminalState, waitReason } from './schema.js'

/** Longest text of one send, in UTF-16 units. More belongs in a file. */
const MAX_TEXT_LENGTH = 1_048_576
const MAX_TIMEOUT_MS = 86_400_000

export const sendInput = z.strictObject({
  sessionId,
  text: z
    .string()
    .max(MAX_TEXT_LENGTH)
    .describe('Typed exactly as given; control characters too (Ctrl-D is "\\u0004"). "" with submit false only waits.'),
  submit: z.boolean().optional().describe('Press Enter after the text. Default true.'),
  timeoutMs: z
    .int()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .optional()
    .describe('Longest wait in milliseconds. The program keeps running when it passes.'),
})

/** With the parameter that a deployment can switch off. */
export const sendInputWithBackground = sendInput.extend({
  run_in_background: z
    .boolean()
    .optional()
    .describe('Return a jobId at once and collect with job_output; job_kill interrupts. Default false.'),
})

export const sendOutput = z.strictObject({
  sessionId: z.string(),
  jobId: z.string().optional().describe('Background sends only; the fields below belong to foreground sends.'),
  text: z.string().optional().describe('Output of this send, without escapes, prompt and echo.'),
  waitReason: waitReason.optional().describe('Why the send returned. A timeout does not mean that anything ended.'),
  sessionStatus: sessionStatus.optional(),
  truncated: z.boolean().optional().describe('Whether output of this send is missing from the text.'),
  state: terminalState.optional().describe('What the terminal is doing now.'),
  promptDetection: z.enum(['active', 'lost', 'none']).optional().describe('Whether exit codes and cwd can be known.'),
  elapsedMs: z.number().optional().describe('Milliseconds from the last byte written to the return.'),
  exitCode: z.int().optional().describe('Exit code of the command that finished during the send.'),
  durationMs: z.number().optional().describe('Run time of that command in milliseconds.'),
  cwd: z.string().optional().describe('Working directory of the shell.'),
  foreground: z.string().optional().describe('Program in the foreground, when it is not the shell.'),
  quietMs: z.number().optional().describe('Milliseconds without output, while busy or quiet.'),
  redrawingMs: z.number().optional().describe('Milliseconds in which output only redrew one line.'),
  pendingInputBytes: z.int().optional().describe('Bytes of the input that the program has not taken.'),
  omittedLines: z.int().optional().describe('Lines the backend left out of the middle.'),
  omittedBytes: z.int().optional().describe('Bytes the backend left out of the middle.'),
  remaining: z
    .array(z.strictObject({ pid: z.int(), command: z.string() }))
    .optional()
    .describe('Processes that live on after the end of the terminal.'),
  unseen: z
    .strictObject({ lines: z.int(), exitCode: z.int().optional(), durationMs: z.number().optional() })
    .optional()
    .describe(
      'What happened since the last send returned: lines of output, how the last command ended. terminal_read shows it.',
    ),
  notes: z.array(z.string()).optional().describe('What could not be known or was done differently.'),
})

/** Arguments with or without what a deployment can add, as it has them. `text` may only be left out where something stands in. */
export type SendArguments = Omit<z.output<typeof sendInputWithBackground>, 'text'> & {
  readonly text?: string | undefined
  readonly keys?: readonly InputPiece[] | undefined
  readonly waitFor?: string | undefined
  readonly regex?: boolean | undefined
}

export const typedText = ({ text }: SendArguments) => text ?? ''

/** Whether Enter follows. Keys end their input themselves, and who only waits for output types nothing. */
export function submits(args: SendArguments): boolean {
  const { submit, keys, waitFor } = args
  return submit ?? !(keys !== undefined || (waitFor !== undefined && typedText(args) === ''))
}
