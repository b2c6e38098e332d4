/** `terminal_close`: the end of a terminal and of everything in it. */
import { z } from 'zod'
import { sessionId } from './schema.js'
import { asSessionId, defineTool, labelOf, reply, resultCard, type Toolkit } from './toolkit.js'

const input = z.strictObject({ sessionId })

const output = z.strictObject({ killed: z.boolean().describe('Whether something alive had to be ended.') })

export const createCloseTool = (kit: Toolkit) =>
  defineTool(kit, {
    name: 'terminal_close',
    description:
      'Close a terminal: end every process in it and wait until they are gone. Its output is gone too. If something could ' +
      'not be ended the error names it; closing again tries again.',
    input,
    output,
    effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    async execute(args, exec) {
      const { killed } = await kit.terminals.close(exec.agent, asSessionId(args.sessionId))
      const text = killed ? 'closed; its processes were ended' : 'closed; it had already ended'
      return reply(kit, '', [{ text, short: 'closed', isEssential: true }], () => ({ killed }))
    },
    presentCall: (args, agent) => ({
      card: 'generic',
      kind: 'delete',
      title: `Close terminal ${labelOf(kit, agent, args.sessionId)}`,
    }),
    presentResult: (_args, result) => resultCard('delete', 'Close terminal', result),
  })
