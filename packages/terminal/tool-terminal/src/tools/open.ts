/** `terminal_open`: a new terminal for the calling agent. */
import { z } from 'zod'
import { cleanLine, cleanText } from '../result/clean.js'
import { openFacts } from '../result/open.js'
import { sessionStatus } from './schema.js'
import { defineTool, reply, resultCard, type Toolkit } from './toolkit.js'

const input = z.strictObject({
  type: z.string().describe('Kind of terminal, for example "shell".'),
  name: z.string().optional().describe('Display name, unique among your terminals. It does not address the terminal.'),
  cwd: z.string().optional().describe('Directory to start in: absolute, or relative to the working directory.'),
})

const output = z.strictObject({
  sessionId: z.string(),
  name: z.string().optional(),
  type: z.string(),
  pid: z.int(),
  status: sessionStatus,
  motd: z.string().describe('What the shell printed before its first prompt.'),
  confinement: z
    .strictObject({
      mode: z.string().describe('Name of the sandbox mode.'),
      writable: z.array(z.string()).describe('Directories in which files can be written.'),
      temporaryDirectory: z
        .string()
        .optional()
        .describe('Where temporary files can be written. It is removed when the terminal is closed.'),
      network: z.enum(['allow', 'deny']),
    })
    .optional()
    .describe('What the terminal may do, when a sandbox confines it.'),
})

const titleOf = (args: z.output<typeof input>) =>
  `Open ${cleanLine(args.type, 40)}${args.name === undefined ? '' : ` ${JSON.stringify(cleanLine(args.name))}`}`

export const createOpenTool = (kit: Toolkit) =>
  defineTool(kit, {
    name: 'terminal_open',
    description:
      'Open a persistent terminal (PTY) that keeps its shell, REPL or debugger alive between calls. Use it only when state ' +
      'or interactive input must persist: what happens in it is less auditable than one-shot tools. Returns the sessionId ' +
      'for the other terminal tools.',
    input,
    output,
    effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async execute(args, exec) {
      const session = await kit.terminals.spawn(exec.agent, {
        type: args.type,
        ...(args.name === undefined ? {} : { name: args.name }),
        ...(args.cwd === undefined ? {} : { cwd: args.cwd }),
        signal: exec.signal,
      })
      return reply(kit, cleanText(session.motd), openFacts(session), (motd) => ({
        sessionId: session.sessionId,
        ...(session.name === undefined ? {} : { name: session.name }),
        type: session.type,
        pid: session.pid,
        status: session.status,
        motd,
        ...(session.confinement === undefined ? {} : { confinement: { ...session.confinement } }),
      }))
    },
    presentCall: (args) => ({ card: 'generic', kind: 'execute', title: titleOf(args) }),
    presentResult: (args, result) => resultCard('execute', titleOf(args), result),
  })
