import { expect, test } from 'vitest'
import { describeCall, type LoggedCall } from '../../src/core/presentation.js'
import { announce } from '../../src/core/v1/call-step.js'

const CARDS = { kind: 'cards', outputKey: 'terminal_output' } as const
const TEXT = { kind: 'text' } as const

const send = (text: string, more: object = {}) => ({ sessionId: 'term-1', text, ...more })
const TERMINAL = { card: 'terminal', title: 'make', cwd: '/project' } as const
const BACKGROUND = { card: 'generic', kind: 'execute', title: 'Background: serve' } as const

const calls: readonly [title: string, call: LoggedCall, followed?: { readonly cwd?: string }][] = [
  ['a foreground send', { callId: 'c', tool: 'terminal_send', args: send('make\n  all'), presentation: TERMINAL }],
  [
    'a terminal card of another tool, in no directory anybody knows',
    { callId: 'c', tool: 'bash', args: { command: 'ls' }, presentation: { card: 'terminal', title: 'ls', cwd: 'src' } },
  ],
  [
    'a background send whose terminal can be followed',
    { callId: 'c', tool: 'terminal_send', args: send('serve', { run_in_background: true }), presentation: BACKGROUND },
    { cwd: '/project' },
  ],
  [
    'a background send to a terminal nobody knows',
    { callId: 'c', tool: 'terminal_send', args: send('serve', { run_in_background: true }), presentation: BACKGROUND },
  ],
  [
    'a generic card',
    {
      callId: 'c',
      tool: 'terminal_read',
      args: { sessionId: 'term-1' },
      presentation: { card: 'generic', kind: 'read', title: 'Read terminal term-1' },
    },
  ],
  [
    'a card without a title',
    { callId: 'c', tool: 'odd', args: null, presentation: { card: 'generic', kind: 'other', title: '' } },
  ],
]

test('render intents become these first messages', async () => {
  const lines = calls.flatMap(([title, call, followed]) => [
    `# ${title}`,
    ...[CARDS, TEXT].map((gate) => {
      const { outgoing } = announce(describeCall(call, { isPending: false, followed }), gate)
      return outgoing.map((item) => JSON.stringify(item.kind === 'message' ? item.message : item)).join('\n')
    }),
  ])
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('__snapshots__/first-messages.txt')
})
