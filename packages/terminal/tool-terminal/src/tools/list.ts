/** `terminal_list`: the caller's own terminals. */
import type { SessionSummary } from '@agent-terminals/terminal'
import { z } from 'zod'
import { renderList } from '../result/list.js'
import { sessionStatus } from './schema.js'
import { defineTool, resultCard, type Toolkit } from './toolkit.js'

const input = z.strictObject({})

const session = z.strictObject({
  sessionId: z.string(),
  name: z.string().optional(),
  type: z.string(),
  pid: z.int(),
  status: sessionStatus,
  cwd: z.string().optional(),
  foreground: z.string().optional().describe('Program in the foreground, when it is not the shell.'),
  idleMs: z.number().describe('Milliseconds without output.'),
  sending: z.boolean(),
  claimedByClient: z.boolean().describe('Whether a person has the keyboard.'),
})

const output = z.strictObject({
  sessions: z.array(session),
  notShown: z.int().optional().describe('Sessions left out because the result would be too long.'),
})

function summarize(each: SessionSummary): z.output<typeof session> {
  return {
    sessionId: each.sessionId,
    ...(each.name === undefined ? {} : { name: each.name }),
    type: each.type,
    pid: each.pid,
    status: each.status,
    ...(each.cwd === undefined ? {} : { cwd: each.cwd }),
    ...(each.foreground === undefined ? {} : { foreground: each.foreground }),
    idleMs: each.idleMs,
    sending: each.sending,
    claimedByClient: each.claim.kind === 'client',
  }
}

export const createListTool = (kit: Toolkit) =>
  defineTool(kit, {
    name: 'terminal_list',
    description:
      'List your open terminals: id, name, type, pid, status, foreground program, working directory and idle time. Look ' +
      'here when you are not sure what state a terminal is in.',
    input,
    output,
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    async execute(_args, exec) {
      const sessions = kit.terminals.list(exec.agent)
      const { text, shown } = renderList(sessions, kit.config.maxResultBytes)
      return {
        content: [{ type: 'text', text }],
        structured: {
          sessions: sessions.slice(0, shown).map(summarize),
          ...(shown < sessions.length ? { notShown: sessions.length - shown } : {}),
        },
      }
    },
    presentCall: () => ({ card: 'generic', kind: 'read', title: 'List terminals' }),
    presentResult: (_args, result) => resultCard('read', 'List terminals', result),
  })
