/** `terminal_signal`: one signal for the program in the foreground. */
import { TERMINAL_SIGNALS } from '@agent-terminals/terminal'
import { z } from 'zod'
import { sessionId } from './schema.js'
import { asSessionId, defineTool, labelOf, reply, resultCard, type Toolkit } from './toolkit.js'

const input = z.strictObject({
  sessionId,
  signal: z.enum(TERMINAL_SIGNALS).describe('SIGINT interrupts like Ctrl-C, SIGTSTP stops like Ctrl-Z.'),
})

const output = z.strictObject({
  delivered: z.boolean(),
  targetPgid: z.int().describe('Process group that got the signal.'),
})

export const createSignalTool = (kit: Toolkit) =>
  defineTool(kit, {
    name: 'terminal_signal',
    description:
      'Send a signal to the process group that holds the foreground of a terminal. SIGKILL is refused when that is the ' +
      'shell itself: use terminal_close. The effect shows in the active send, a following empty send, or terminal_read.',
    input,
    output,
    effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async execute(args, exec) {
      const { delivered, targetPgid } = await kit.terminals.signal(exec.agent, asSessionId(args.sessionId), args.signal)
      const facts = [{ text: `${args.signal} delivered to process group ${targetPgid}`, isEssential: true }]
      return reply(kit, '', facts, () => ({ delivered, targetPgid }))
    },
    presentCall: (args, agent) => ({
      card: 'generic',
      kind: 'execute',
      title: `Send ${args.signal} to terminal ${labelOf(kit, agent, args.sessionId)}`,
    }),
    presentResult: (args, result) => resultCard('execute', `Send ${args.signal}`, result),
  })
