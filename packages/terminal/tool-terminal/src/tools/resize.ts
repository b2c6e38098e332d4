/** `terminal_resize`: a size that suits what is to be read. Only where a deployment has it. */
import { z } from 'zod'
import { sessionId } from './schema.js'
import { asSessionId, defineTool, labelOf, reply, resultCard, type Toolkit } from './toolkit.js'

/** What people and programs can still make sense of. */
const COLUMNS = { least: 20, most: 500 }
const ROWS = { least: 5, most: 200 }

const input = z.strictObject({
  sessionId,
  columns: z.int().min(COLUMNS.least).max(COLUMNS.most).describe('Character cells per row.'),
  rows: z.int().min(ROWS.least).max(ROWS.most),
})

const output = z.strictObject({ columns: z.int(), rows: z.int() })

export const createResizeTool = (kit: Toolkit) =>
  defineTool(kit, {
    name: 'terminal_resize',
    description:
      'Change the size of a terminal. A full-screen program draws itself anew: wait with terminal_send, text "" and submit ' +
      'false. Refused while a person has the keyboard.',
    input,
    output,
    effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async execute({ sessionId: id, columns, rows }, exec) {
      kit.terminals.resize(exec.agent, asSessionId(id), { columns, rows })
      return reply(kit, '', [{ text: `size ${columns}x${rows}`, isEssential: true }], () => ({ columns, rows }))
    },
    presentCall: (args, agent) => ({
      card: 'generic',
      kind: 'execute',
      title: `Resize terminal ${labelOf(kit, agent, args.sessionId)}`,
    }),
    presentResult: (_args, result) => resultCard('execute', 'Resize terminal', result),
  })
