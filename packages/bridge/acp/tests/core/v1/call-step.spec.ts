/** The mapping from events of a call to ACP v1 messages, as recorded. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Announcement, CallEvent, Ending } from '../../../src/core/call-event.js'
import type { Gate } from '../../../src/core/gate.js'
import { abandon, announce, type CallState, type Outgoing, stepCall } from '../../../src/core/v1/call-step.js'

const CARDS: Gate = { kind: 'cards', outputKey: 'terminal_output' }
const TEXT: Gate = { kind: 'text' }
const COMMAND = {
  callId: 'c1',
  title: 'make',
  toolKind: 'execute',
  rawInput: { text: 'make' },
  terminal: { cwd: '/project' },
  isPending: false,
} as const
const GENERIC = { callId: 'c2', title: 'Read terminal', toolKind: 'read', rawInput: {}, isPending: false } as const

const ending = (changes: Partial<Ending> = {}): Ending => ({
  status: 'completed',
  exit: { exitCode: 0, signal: null },
  text: 'built\n',
  ...changes,
})

type Step = Exclude<CallEvent, { kind: 'announced' }>

function play(call: Announcement, gate: Gate, events: readonly Step[]) {
  const first = announce(call, gate)
  const outgoing: Outgoing[] = [...first.outgoing]
  let state: CallState = first.state
  for (const event of events) {
    const next = stepCall(state, event, 1000)
    state = next.state
    outgoing.push(...next.outgoing)
  }
  return { state, outgoing }
}

const lines = (outgoing: readonly Outgoing[]) =>
  outgoing.map((item) =>
    item.kind === 'message'
      ? JSON.stringify(item.message)
      : item.kind === 'output' || item.kind === 'notice'
        ? `${item.kind}: ${JSON.stringify(item.text)}`
        : item.kind,
  )

describe('messages of', () => {
  const stories: readonly [title: string, gate: Gate, events: readonly Step[]][] = [
    [
      'a success on a card',
      CARDS,
      [
        { kind: 'output', text: 'built\r\n' },
        { kind: 'concluded', ending: ending() },
      ],
    ],
    [
      'a failure on a card',
      CARDS,
      [{ kind: 'concluded', ending: ending({ status: 'failed', exit: { exitCode: 2, signal: null } }) }],
    ],
    [
      'a cancelled command on a card',
      CARDS,
      [
        {
          kind: 'concluded',
          ending: ending({ status: 'failed', exit: { exitCode: null, signal: null }, notice: '[cancelled]' }),
        },
      ],
    ],
    [
      'a background command on a card',
      CARDS,
      [
        { kind: 'output', text: 'up\r\n' },
        { kind: 'handed-over', text: 'job 1' },
        { kind: 'output', text: 'GET /\r\n' },
        { kind: 'exited', exit: { exitCode: 1, signal: null }, notice: '[exited with code 1]' },
      ],
    ],
    [
      'a success without cards',
      TEXT,
      [
        { kind: 'output', text: 'x' },
        { kind: 'concluded', ending: ending() },
      ],
    ],
    [
      'a background command without cards',
      TEXT,
      [
        { kind: 'handed-over', text: 'job 1 started' },
        { kind: 'exited', exit: { exitCode: 1, signal: null } },
      ],
    ],
  ]
  test.each(stories)('%s', async (title, gate, events) => {
    await expect(`${lines(play(COMMAND, gate, events).outgoing).join('\n')}\n`).toMatchFileSnapshot(
      `__snapshots__/${title.replaceAll(' ', '-')}.txt`,
    )
  })

  test('a generic call, the same for everybody', async () => {
    const events: readonly Step[] = [{ kind: 'concluded', ending: ending({ text: 'line 1\nline 2' }) }]
    const [cards, text] = [CARDS, TEXT].map((gate) => lines(play(GENERIC, gate, events).outgoing))
    expect(cards).toEqual(text)
    await expect(`${text?.join('\n')}\n`).toMatchFileSnapshot('__snapshots__/a-generic-call.txt')
  })

  test('a call that waits for permission', async () => {
    const pending = { ...COMMAND, isPending: true } as const
    const { outgoing } = play(pending, CARDS, [
      { kind: 'permitted' },
      { kind: 'permitted' },
      { kind: 'concluded', ending: ending() },
    ])
    await expect(`${lines(outgoing).join('\n')}\n`).toMatchFileSnapshot('__snapshots__/a-call-with-permission.txt')
  })
})

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ kind: 'permitted' }),
  fc.string().map((text): Step => ({ kind: 'output', text })),
  fc.constant<Step>({ kind: 'handed-over', text: 'job' }),
  fc.constant<Step>({ kind: 'concluded', ending: ending() }),
  fc.constant<Step>({ kind: 'exited', exit: { exitCode: 0, signal: null } }),
)

test('whatever happens, a card gets one exit, last, and a final status never changes', () => {
  fc.assert(
    fc.property(fc.array(anyStep), fc.constantFrom(CARDS, TEXT), (events, gate) => {
      const { state, outgoing } = play(COMMAND, gate, events)
      const all = [...outgoing, ...abandon(state, '[stopped]', 1000).outgoing]
      const messages = all.flatMap((item) => (item.kind === 'message' ? [item.message] : []))
      const exits = messages.filter((message) => message._meta && 'terminal_exit' in message._meta)
      expect(exits).toHaveLength(gate.kind === 'cards' ? 1 : 0)
      if (gate.kind === 'cards') expect(messages.at(-1)).toBe(exits[0])
      const finals = messages.flatMap(({ status }) => (status === 'completed' || status === 'failed' ? [status] : []))
      expect(finals).toHaveLength(1)
      const drained = all.findIndex((item) => item.kind === 'drain')
      const afterwards = drained === -1 ? [] : all.slice(drained)
      expect(afterwards.filter(({ kind }) => kind === 'output' || kind === 'notice')).toEqual([])
    }),
  )
})
