import type { SessionEvent, SessionEventMap, SessionEventType } from '@agent-terminals/agents/contract'
import { describe, expect, test } from 'vitest'
import { rebuildMessages } from '../src/messages.js'

type Told = { readonly [Type in SessionEventType]: readonly [Type, SessionEventMap[Type]] }[SessionEventType]

const logOf = (...told: readonly Told[]): readonly SessionEvent[] =>
  told.map(([type, data], index) => ({ seq: index + 1, at: 0, type, data }))

const usage = ['model/usage', { inputTokens: null, outputTokens: null }] as const
const call = (callId: string): Told => [
  'tool/call',
  { callId, tool: 'run', args: {}, presentation: { card: 'generic', kind: 'execute', title: 'run' } },
]
const result = (callId: string, text: string): Told => [
  'tool/result',
  {
    callId,
    tool: 'run',
    result: { content: [{ type: 'text', text }] },
    presentation: { card: 'generic', kind: 'execute', title: 'run' },
    durationMs: 1,
    outcome: 'completed',
  },
]

describe('the conversation of a log', () => {
  test('tells an answer with words and calls in one message, and its results behind it', () => {
    const messages = rebuildMessages(
      logOf(
        ['message/user', { text: 'go' }],
        usage,
        ['message/agent', { text: 'I look.' }],
        call('a'),
        result('a', 'one'),
        ['job/settled', { jobId: 'j-1', status: 'completed', text: 'job j-1 is done' }],
        call('b'),
        result('b', 'two'),
        usage,
        ['message/agent', { text: 'done' }],
        ['turn/ended', { outcome: { kind: 'completed', text: 'done' } }],
      ),
    )
    expect(messages).toMatchObject([
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'a' },
          { type: 'tool-call', toolCallId: 'b' },
        ],
      },
      { role: 'tool', content: [{ toolCallId: 'a', output: { value: 'one' } }] },
      { role: 'tool', content: [{ toolCallId: 'b', output: { value: 'two' } }] },
      { role: 'user', content: '[notice] job j-1 is done' },
      { role: 'assistant', content: 'done' },
    ])
  })

  test('keeps two answers apart, and gives an open call its result', () => {
    const messages = rebuildMessages(
      logOf(['message/user', { text: 'go' }], usage, call('a'), result('a', 'one'), usage, call('b')),
    )
    expect(messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ toolCallId: 'a' }] },
      { role: 'tool' },
      { role: 'assistant', content: [{ toolCallId: 'b' }] },
      { role: 'tool', content: [{ toolCallId: 'b', output: { type: 'error-text' } }] },
    ])
  })

  test('keeps an answer that broke off apart from the next prompt', () => {
    const messages = rebuildMessages(
      logOf(
        ['message/user', { text: 'go' }],
        usage,
        call('a'),
        result('a', 'one'),
        ['message/agent', { text: 'half' }],
        ['turn/ended', { outcome: { kind: 'cancelled' } }],
        ['job/waiting', { jobId: 'j-1', text: 'job j-1 waits' }],
        ['message/user', { text: 'on' }],
      ),
    )
    expect(messages).toEqual([
      { role: 'user', content: 'go' },
      expect.objectContaining({ role: 'assistant' }),
      expect.objectContaining({ role: 'tool' }),
      { role: 'assistant', content: 'half' },
      { role: 'user', content: '[notice] job j-1 waits' },
      { role: 'user', content: 'on' },
    ])
  })
})
