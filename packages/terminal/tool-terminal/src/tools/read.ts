/** `terminal_read`: a page of retained output. */
import { z } from 'zod'
import { cleanText } from '../result/clean.js'
import { pageFacts } from '../result/read.js'
import { sessionId } from './schema.js'
import { asSessionId, defineTool, labelOf, reply, resultCard, type Toolkit } from './toolkit.js'

const input = z.strictObject({
  sessionId,
  lines: z.int().min(1).max(1_000_000).optional().describe('Most lines to return.'),
  offset: z
    .int()
    .min(0)
    .optional()
    .describe('Lines to skip, counted back from the newest: 0 (default) ends at the newest line.'),
})

const output = z.strictObject({
  text: z.string(),
  totalLines: z.int().describe('Lines retained now.'),
  lineBegin: z.int().describe('First line of the page, from 1; 0 for an empty page.'),
  lineEnd: z.int(),
  truncated: z.boolean().describe('Whether older output has been lost for good.'),
})

export const createReadTool = (kit: Toolkit) =>
  defineTool(kit, {
    name: 'terminal_read',
    description:
      'Read retained output of a terminal without sending anything, also while a send is active or after the terminal has ' +
      'ended. Pages go backward from the newest line; the result says which lines it holds and how to get older ones.',
    input,
    output,
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    async execute(args, exec) {
      const page = kit.terminals.read(exec.agent, asSessionId(args.sessionId), {
        ...(args.lines === undefined ? {} : { lines: args.lines }),
        ...(args.offset === undefined ? {} : { offset: args.offset }),
      })
      return reply(kit, cleanText(page.text), pageFacts(page, args.offset ?? 0), (text) => ({
        text,
        totalLines: page.totalLines,
        lineBegin: page.lineBegin,
        lineEnd: page.lineEnd,
        truncated: page.truncated,
      }))
    },
    presentCall: (args, agent) => ({
      card: 'generic',
      kind: 'read',
      title: `Read terminal ${labelOf(kit, agent, args.sessionId)}`,
    }),
    presentResult: (_args, result) => resultCard('read', 'Terminal output', result),
  })
