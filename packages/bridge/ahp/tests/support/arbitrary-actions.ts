/** Actions as a host sends them, in any order. */
import fc from 'fast-check'
import type { TerminalAction } from '../../src/protocol/index.js'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const commandId = fc.constantFrom('c1', 'c2', 'c3')
const claim = fc.oneof(
  fc.record({ kind: fc.constant('client' as const), clientId: fc.constantFrom('a', 'b') }),
  fc.record(
    {
      kind: fc.constant('session' as const),
      session: fc.constant('ahp-session:/s'),
      chat: fc.constant('ahp-chat:/c'),
      turnId: fc.constant('t1'),
      toolCallId: fc.constant('k1'),
    },
    { requiredKeys: ['kind', 'session', 'chat'] },
  ),
)

export const anyTerminalAction: fc.Arbitrary<TerminalAction> = fc.oneof(
  { weight: 6, arbitrary: text.map((data): TerminalAction => ({ type: 'terminal/data', data })) },
  text.map((data): TerminalAction => ({ type: 'terminal/input', data })),
  fc
    .tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 100 }))
    .map(([cols, rows]): TerminalAction => ({ type: 'terminal/resized', cols, rows })),
  claim.map((each): TerminalAction => ({ type: 'terminal/claimed', claim: each })),
  text.map((title): TerminalAction => ({ type: 'terminal/titleChanged', title })),
  text.map((path): TerminalAction => ({ type: 'terminal/cwdChanged', cwd: `file:///${encodeURIComponent(path)}` })),
  fc
    .option(fc.integer({ min: 0, max: 255 }), { nil: undefined })
    .map((exitCode): TerminalAction => ({ type: 'terminal/exited', ...(exitCode === undefined ? {} : { exitCode }) })),
  fc.constant<TerminalAction>({ type: 'terminal/cleared' }),
  fc.constant<TerminalAction>({ type: 'terminal/commandDetectionAvailable' }),
  fc.tuple(commandId, text).map(
    ([id, commandLine]): TerminalAction => ({
      type: 'terminal/commandExecuted',
      commandId: id,
      commandLine,
      timestamp: 1_791_000_000_000,
    }),
  ),
  fc.tuple(commandId, fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined })).map(
    ([id, exitCode]): TerminalAction => ({
      type: 'terminal/commandFinished',
      commandId: id,
      ...(exitCode === undefined ? {} : { exitCode }),
    }),
  ),
)
