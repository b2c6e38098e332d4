import { useBaseline } from '@agent-terminals/testing'
import { utf8Length } from '@agent-terminals/text'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readInputFor } from '../src/tools/read-schema.js'
import { buildHouse, type House, textOf } from './house.js'
import type { ScriptedSession } from './scripted-backend.js'

useBaseline()

let house: House
let sessionId: string
let session: ScriptedSession
beforeEach(async () => {
  house = await buildHouse()
  const opened = await house.open()
  sessionId = opened.sessionId
  session = opened.session
})
afterEach(() => house.dispose())

/** What a call could have done to the world. */
const effects = () => ({
  opened: house.backend.sessions.length,
  sends: session.sends.length,
  signals: session.signals.length,
  closes: session.closes,
  listed: house.root.terminals.list(house.agent).length,
})
const UNTOUCHED = { opened: 1, sends: 0, signals: 0, closes: 0, listed: 1 }

describe('bad input', () => {
  const table: [title: string, tool: string, args: unknown, names: string][] = [
    ['no arguments at all', 'terminal_open', undefined, 'arguments'],
    ['a missing parameter', 'terminal_open', {}, 'type'],
    ['a parameter of a wrong type', 'terminal_open', { type: 7 }, 'type'],
    ['an extra parameter', 'terminal_open', { type: 'shell', shell: '/bin/sh' }, 'shell'],
    ['null', 'terminal_open', null, 'arguments'],
    ['a list', 'terminal_open', [], 'arguments'],
    ['text that is a number', 'terminal_send', { sessionId: 'ID', text: 1 }, 'text'],
    ['no text', 'terminal_send', { sessionId: 'ID' }, 'text'],
    ['submit as a word', 'terminal_send', { sessionId: 'ID', text: 'x', submit: 'yes' }, 'submit'],
    ['a time limit of zero', 'terminal_send', { sessionId: 'ID', text: 'x', timeoutMs: 0 }, 'timeoutMs'],
    ['a negative time limit', 'terminal_send', { sessionId: 'ID', text: 'x', timeoutMs: -5 }, 'timeoutMs'],
    [
      'a time limit that is no number',
      'terminal_send',
      { sessionId: 'ID', text: 'x', timeoutMs: Number.NaN },
      'timeoutMs',
    ],
    [
      'an endless time limit',
      'terminal_send',
      { sessionId: 'ID', text: 'x', timeoutMs: Number.POSITIVE_INFINITY },
      'timeoutMs',
    ],
    ['a fractional time limit', 'terminal_send', { sessionId: 'ID', text: 'x', timeoutMs: 1.5 }, 'timeoutMs'],
    ['a huge time limit', 'terminal_send', { sessionId: 'ID', text: 'x', timeoutMs: 1e12 }, 'timeoutMs'],
    ['a huge text', 'terminal_send', { sessionId: 'ID', text: 'x'.repeat(1_048_577) }, 'text'],
    ['a parameter nobody declared', 'terminal_send', { sessionId: 'ID', text: 'x', background: true }, 'background'],
    ['lines of zero', 'terminal_read', { sessionId: 'ID', lines: 0 }, 'lines'],
    ['a negative offset', 'terminal_read', { sessionId: 'ID', offset: -1 }, 'offset'],
    ['an offset that is no number', 'terminal_read', { sessionId: 'ID', offset: Number.NaN }, 'offset'],
    ['a fractional offset', 'terminal_read', { sessionId: 'ID', offset: 0.5 }, 'offset'],
    ['a huge offset', 'terminal_read', { sessionId: 'ID', offset: 1e300 }, 'offset'],
    ['an unknown signal', 'terminal_signal', { sessionId: 'ID', signal: 'SIGQUIT' }, 'signal'],
    ['a signal by number', 'terminal_signal', { sessionId: 'ID', signal: 9 }, 'signal'],
    ['a missing id', 'terminal_close', {}, 'sessionId'],
    ['an id that is a number', 'terminal_close', { sessionId: 1 }, 'sessionId'],
    ['an argument where there are none', 'terminal_list', { all: true }, 'all'],
  ]
  it.each(table)('%s for %s gives one readable error and does nothing', async (_title, tool, args, names) => {
    const isRecord = typeof args === 'object' && args !== null && 'sessionId' in args && args.sessionId === 'ID'
    const call = await house.call(tool, isRecord ? { ...args, sessionId } : args)
    expect(call.result).toMatchObject({ isError: true, code: 'INVALID_ARGUMENTS' })
    expect(call.result.structured).toBeUndefined()
    expect(textOf(call)).toContain(names)
    expect(utf8Length(textOf(call))).toBeLessThan(500)
    expect(effects()).toEqual(UNTOUCHED)
  })

  it.each([{ since: 3 }, { search: 'x' }])('an offset beside %j is refused with advice', (place) => {
    const schema = readInputFor({ keys: false, resize: false, screen: false, search: true })
    expect(schema.safeParse({ sessionId, offset: 1 }).success).toBe(true)
    const { error } = schema.safeParse({ sessionId, offset: 1, ...place })
    expect(error?.issues[0]?.message).toContain('leave it out with since or search')
  })

  const operations: [tool: string, args: Record<string, unknown>][] = [
    ['terminal_send', { text: 'x' }],
    ['terminal_send', { text: 'x', run_in_background: true }],
    ['terminal_read', {}],
    ['terminal_signal', { signal: 'SIGINT' }],
    ['terminal_close', {}],
  ]
  it.each(operations)('%s %j answers unknown, empty and foreign ids alike', async (tool, args) => {
    const other = await house.createAgent()
    const unknown = await house.call(tool, { ...args, sessionId: 'term-nobody' })
    const empty = await house.call(tool, { ...args, sessionId: '' })
    const foreign = await house.call(tool, { ...args, sessionId }, { agent: other })
    expect([unknown, empty, foreign].map(({ result }) => result.code)).toEqual(Array(3).fill('UNKNOWN_SESSION'))
    expect(textOf(foreign).replaceAll(sessionId, 'ID')).toBe(textOf(unknown).replaceAll('term-nobody', 'ID'))
    expect(effects()).toEqual(UNTOUCHED)
  })

  it('a forced run_in_background is refused where the deployment has switched it off', async () => {
    const strict = await buildHouse({ config: { enableRunInBackground: false } })
    const opened = await strict.open()
    const args = { sessionId: opened.sessionId, text: 'x', run_in_background: true }
    const call = await strict.call('terminal_send', args)
    expect(call.result).toMatchObject({ isError: true, code: 'INVALID_ARGUMENTS' })
    expect(textOf(call)).toContain('run_in_background')

    // A host that does not validate reaches the definition itself.
    const { signal } = new AbortController()
    const exec = { agent: strict.agent, callId: 'c', keptArgs: args, signal, progress: () => undefined }
    await expect(strict.root.tools.get('terminal_send')?.execute(args, exec)).rejects.toMatchObject({
      code: 'BACKGROUND_DISABLED',
    })
    expect(opened.session.sends).toEqual([])
    await strict.dispose()
  })

  it('any arguments whatever give a result, never a rejection', async () => {
    const key = fc.constantFrom(
      'sessionId',
      'text',
      'submit',
      'timeoutMs',
      'lines',
      'offset',
      'signal',
      'type',
      'name',
      'x',
    )
    const args = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true }),
      fc.dictionary(key, fc.anything(), { maxKeys: 4 }),
    )
    const tool = fc.constantFrom('terminal_send', 'terminal_read', 'terminal_signal', 'terminal_close')
    await fc.assert(
      fc.asyncProperty(tool, args, async (name, value) => {
        const call = await house.call(name, value)
        expect(call.result.isError).toBe(true)
        expect(call.result.code).toMatch(/^[A-Z_]+$/)
      }),
      { numRuns: 200 },
    )
    expect(effects()).toEqual(UNTOUCHED)
  })
})
