import { describe, expect, test } from 'vitest'
import { describeEnding, type LoggedResult } from '../../src/core/ending.js'
import { resolveGate } from '../../src/core/gate.js'
import { renderPrompt } from '../../src/core/prompt-text.js'
import { parseSend, titleOfSend } from '../../src/core/send-arguments.js'
import { toExitCode } from '../../src/core/v1/messages.js'

const RESULT: LoggedResult = {
  outcome: 'completed',
  isError: false,
  code: undefined,
  text: 'out\n[exit 2]',
  structured: { text: 'out\n', waitReason: 'stdin_read' },
  shownOutput: undefined,
  exit: { exitCode: 0, signal: null },
}

describe('the ending of a call', () => {
  test.each<[string, Partial<LoggedResult>, object]>([
    ['a clean exit', {}, { status: 'completed' }],
    ['a bad code', { exit: { exitCode: 2, signal: null } }, { status: 'failed' }],
    ['a signal', { exit: { exitCode: null, signal: 'SIGTERM' } }, { status: 'failed' }],
    ['no end yet', { exit: undefined }, { status: 'completed', exit: { exitCode: null, signal: null } }],
    [
      'a time limit',
      { exit: undefined, structured: { text: 'out\n', waitReason: 'timeout' } },
      { status: 'failed', notice: '[time limit reached: the program is still running]' },
    ],
    ['a cancel', { outcome: 'cancelled', isError: true }, { status: 'failed', notice: '[cancelled]', text: '' }],
    [
      'a refusal',
      { outcome: 'refused', isError: true, code: 'NOT_TODAY', text: 'not today\n[error NOT_TODAY]' },
      { status: 'failed', notice: '[not run: not today]', text: '' },
    ],
    [
      'an error',
      { outcome: 'failed', isError: true, text: 'broken', structured: undefined, exit: undefined },
      { status: 'failed', unstreamed: 'broken', text: 'broken' },
    ],
    ["a hook's own answer", { shownOutput: 'instead\n', structured: undefined }, { unstreamed: 'instead' }],
  ])('is told for %s', (_, changes, expected) => {
    expect(describeEnding({ ...RESULT, ...changes }, false)).toMatchObject(expected)
  })

  test('does not repeat output that has been streamed', () => {
    const error = { outcome: 'failed', isError: true, text: 'out\n[error X]', shownOutput: 'out\n[error X]' } as const
    expect(describeEnding({ ...RESULT, ...error }, true).unstreamed).toBe('[error X]')
    expect(describeEnding({ ...RESULT, ...error }, false).unstreamed).toBe('out\n[error X]')
  })
})

test.each([
  [0, 0],
  [255, 255],
  [-1073741510, 3221225786],
  [4294967295, 4294967295],
  [4294967296, null],
  [-2147483649, null],
  [0.5, null],
  [Number.NaN, null],
  [null, null],
])('exit code %s is sent as %s', (code, sent) => {
  expect(toExitCode(code)).toBe(sent)
})

test.each([
  [undefined, 'text'],
  [{}, 'text'],
  [{ _meta: null }, 'text'],
  [{ _meta: { terminal_output: 'true' } }, 'text'],
  [{ terminal: true }, 'text'],
  [{ _meta: { terminal_output: true } }, 'terminal_output'],
  [{ _meta: { terminal_output: true, terminal_output_delta: true } }, 'terminal_output_delta'],
  [{ _meta: { terminal_output: true, terminal_output_delta: 'yes' } }, 'terminal_output'],
])('capabilities %j open the gate %s', (capabilities, expected) => {
  const gate = resolveGate(capabilities)
  expect(gate.kind === 'cards' ? gate.outputKey : gate.kind).toBe(expected)
})

test('a send is read from its arguments, and from those of no other tool', () => {
  const args = { sessionId: 's', text: 'ls', run_in_background: true }
  expect(parseSend('terminal_send', args)).toEqual({ sessionId: 's', text: 'ls', isBackground: true })
  expect(parseSend('other', args)).toBeUndefined()
  expect(parseSend('terminal_send', null)).toBeUndefined()
  expect(parseSend('terminal_send', { text: 1 })).toBeUndefined()
})

test('control keys keep the name the tool gives them', () => {
  const send = { sessionId: 's', isBackground: false }
  expect(titleOfSend({ ...send, text: '\u0003' }, '^C')).toBe('^C')
  expect(titleOfSend({ ...send, text: 'a\r\nb\n' }, 'a')).toBe('a\nb')
  expect(titleOfSend({ ...send, text: '' }, 'Enter')).toBe('Enter')
})

test('a prompt keeps links and attached texts, and names what it cannot take', () => {
  const blocks = [
    { type: 'text', text: 'look at' },
    { type: 'resource_link', name: 'a.c', uri: 'file:///a.c' },
    { type: 'resource', resource: { uri: 'file:///b.c', text: 'int b;' } },
  ]
  expect(renderPrompt(blocks)).toEqual({
    ok: true,
    text: 'look at\n[a.c](file:///a.c)\n<resource uri="file:///b.c">\nint b;\n</resource>',
  })
  expect(renderPrompt([{ type: 'audio' }])).toEqual({ ok: false, type: 'audio' })
})
