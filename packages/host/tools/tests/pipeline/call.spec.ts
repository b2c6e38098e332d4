import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ToolDefinition, ToolExecution, ToolHooks, ToolResult } from '../../src/contract.js'
import { doing, echoTool, text, textOf, useTools } from '../harness.js'

useBaseline()
const harness = useTools()

const register = (changes: Partial<ToolDefinition> = {}) => harness.ctx.tools.register(echoTool(changes))

/** Counts executions, so that a test can say that nothing was done. */
function countingTool() {
  const seen: unknown[] = []
  register({
    execute: async (args) => {
      seen.push(args)
      return text('done')
    },
  })
  return seen
}

describe('a call', () => {
  it('gives the tool its arguments, the agent and a call id, and is logged as call and result', async () => {
    const seen: ToolExecution[] = []
    register({
      execute: async (args, exec) => {
        seen.push(exec)
        return text((args as { text: string }).text)
      },
    })
    const call = await harness.ctx.tools.execute({
      agent: harness.agent,
      name: 'echo',
      args: { text: 'hi' },
      callId: 'c1',
    })
    expect(call).toEqual({
      callId: 'c1',
      result: text('hi'),
      presentation: { card: 'generic', kind: 'other', title: 'echo', text: 'hi' },
    })
    expect(seen[0]?.agent === harness.agent).toBe(true)
    expect(seen[0]?.callId).toBe('c1')
    expect(harness.agent.session.events.map(({ type }) => type)).toEqual([
      'session/started',
      'tool/call',
      'tool/result',
    ])
    expect(harness.events('tool/call')).toEqual([
      {
        callId: 'c1',
        tool: 'echo',
        args: { text: 'hi' },
        presentation: { card: 'generic', kind: 'other', title: 'echo' },
      },
    ])
    expect(harness.events('tool/result')).toEqual([
      {
        callId: 'c1',
        tool: 'echo',
        result: text('hi'),
        presentation: call.presentation,
        durationMs: expect.any(Number),
        outcome: 'completed',
      },
    ])
  })

  it('mints a call id of its own when none is given', async () => {
    register()
    const call = () => harness.ctx.tools.execute({ agent: harness.agent, name: 'echo', args: { text: 'x' } })
    expect((await call()).callId).not.toBe((await call()).callId)
  })

  it('fills in defaults, and the log keeps what the model sent', async () => {
    const seen: unknown[] = []
    register({
      input: z.object({ text: z.string().default('standard') }),
      execute: async (args) => {
        seen.push(args)
        return text('')
      },
    })
    await harness.run('echo', {})
    expect(seen).toEqual([{ text: 'standard' }])
    expect(harness.events('tool/call')).toMatchObject([{ args: {} }])
  })

  it('hands out frozen copies of arguments and results', async () => {
    const args = { text: 'x', list: [1] }
    const seen: unknown[] = []
    const structured = { list: [1] }
    register({
      input: z.object({ text: z.string(), list: z.any() }),
      execute: async (given) => {
        seen.push(given)
        return { content: [], structured }
      },
    })
    const result = await harness.run('echo', args)
    args.list.push(2)
    structured.list.push(2)
    expect(seen).toEqual([{ text: 'x', list: [1] }])
    expect(Object.isFrozen((seen[0] as typeof args).list)).toBe(true)
    expect(Object.isFrozen(args.list)).toBe(false)
    expect(result.structured).toEqual({ list: [1] })
    expect(Object.isFrozen(result.structured?.list)).toBe(true)
  })

  it('runs with the tool it found, even when that is withdrawn meanwhile', async () => {
    const release = register({
      execute: async () => {
        release()
        return text('finished')
      },
    })
    expect(await harness.run('echo', { text: 'x' })).toEqual(text('finished'))
    expect(await harness.run('echo', { text: 'x' })).toMatchObject({ code: 'UNKNOWN_TOOL' })
  })

  it('keeps two calls of one agent apart', async () => {
    register()
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => harness.run('echo', { text: `${index}` })),
    )
    expect(results.map(textOf)).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`))
    const ids = harness.events('tool/call').map(({ callId }) => callId)
    expect(new Set(ids).size).toBe(20)
    expect(
      harness
        .events('tool/result')
        .map(({ callId }) => callId)
        .sort(),
    ).toEqual([...ids].sort())
  })
})

describe('bad input', () => {
  it.each([
    ['a wrong type', { text: 1 }, 'text: expected a string, received 1'],
    ['something missing', {}, 'text: expected a string, received nothing'],
    ['something extra', { text: 'x', nope: 1 }, 'nope: not a known parameter; the parameters are text, times'],
    ['NaN', { text: 'x', times: Number.NaN }, 'times: expected a number, received NaN'],
    ['a huge number', { text: 'x', times: 1e300 }, 'times: expected at most 10, received 1e+300'],
    ['a negative number', { text: 'x', times: -1 }, 'times: expected at least 1, received -1'],
    ['null', null, 'arguments: expected an object, received null'],
    ['no object', 'text', 'arguments: expected an object, received "text"'],
    ['a function', { text: () => 'x' }, 'arguments: not data'],
  ])('of the kind "%s" gives one readable error and does nothing', async (_kind, args, problem) => {
    const seen = countingTool()
    const result = await harness.run('echo', args)
    expect(result).toMatchObject({ isError: true, code: 'INVALID_ARGUMENTS' })
    expect(textOf(result)).toContain('The arguments of echo are not valid; nothing was done.')
    expect(textOf(result)).toContain(problem)
    expect(seen).toEqual([])
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'failed' }])
    expect(harness.events('tool/call')).toHaveLength(1)
  })

  it('whose check throws is refused like any other', async () => {
    register({
      input: z.object({ text: z.string() }).refine(() => {
        throw new Error('lookup failed')
      }),
    })
    const result = await harness.run('echo', { text: 'x' })
    expect(result).toMatchObject({ isError: true, code: 'INVALID_ARGUMENTS' })
    expect(textOf(result)).toContain('could not be checked (lookup failed)')
  })

  it('is checked by asynchronous checks too', async () => {
    register({ input: z.object({ text: z.string() }).refine(async () => false, 'no such thing') })
    expect(textOf(await harness.run('echo', { text: 'x' }))).toContain('- no such thing')
  })

  it('names the tools there are when the name is unknown', async () => {
    register()
    const result = await harness.run('ecco', {})
    expect(result).toMatchObject({ isError: true, code: 'UNKNOWN_TOOL' })
    expect(textOf(result)).toBe('There is no tool ecco. The tools are echo.\n[error UNKNOWN_TOOL]')
    expect(harness.events('tool/result')).toMatchObject([{ tool: 'ecco', outcome: 'failed' }])
  })

  it('asks no hook', async () => {
    register()
    let asked = 0
    harness.ctx.tools.hook({
      before: () => doing(() => asked++, { action: 'continue' } as const),
      after: () => doing(() => asked++, { action: 'keep' } as const),
    })
    await harness.run('echo', {})
    await harness.run('nope', {})
    expect(asked).toBe(0)
  })
})

describe('a tool that fails', () => {
  const fail = (error: unknown) =>
    register({
      execute: async () => {
        throw error
      },
    })

  it.each([
    ['an error without a code', new Error('disk full'), 'TOOL_FAILED', 'disk full'],
    ['an error with a code', Object.assign(new Error('busy'), { code: 'SEND_ACTIVE' }), 'SEND_ACTIVE', 'busy'],
    ['an error with a numeric code', Object.assign(new Error('odd'), { code: 7 }), 'TOOL_FAILED', 'odd'],
    ['an error without a message', new TypeError(), 'TOOL_FAILED', 'TypeError'],
    ['a string', 'just text', 'TOOL_FAILED', 'just text'],
    ['an object', { a: 1 }, 'TOOL_FAILED', 'Something that is no error was thrown: {"a":1}'],
    ['nothing', undefined, 'TOOL_FAILED', 'Something that is no error was thrown: null'],
  ])('with %s gives an error result of the one shape', async (_what, error, code, message) => {
    fail(error)
    const result = await harness.run('echo', { text: 'x' })
    expect(result).toEqual({ ...text(`${message}\n[error ${code}]`), isError: true, code })
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'failed', result }])
  })

  it('is the same when it throws before it returns a promise', async () => {
    register({
      execute: () => {
        throw new Error('at once')
      },
    })
    expect(await harness.run('echo', { text: 'x' })).toMatchObject({ code: 'TOOL_FAILED' })
  })

  it('keeps the message within bounds', async () => {
    fail(new Error('x'.repeat(1_000_000)))
    expect(Buffer.byteLength(textOf(await harness.run('echo', { text: 'x' })))).toBeLessThan(20_000)
  })

  it('counts a returned error as failed', async () => {
    register({ execute: async () => ({ ...text('no'), isError: true, code: 'MINE' }) })
    expect(await harness.run('echo', { text: 'x' })).toEqual({ ...text('no'), isError: true, code: 'MINE' })
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'failed' }])
  })
})

describe('a result', () => {
  const returning = async (value: unknown, changes: Partial<ToolDefinition> = {}) => {
    register({ execute: async () => value as ToolResult, ...changes })
    return harness.run('echo', { text: 'x' })
  }

  it.each([
    ['nothing', undefined],
    ['a string', 'text'],
    ['no content', {}],
    ['content that is no list', { content: 'text' }],
    ['a block of an unknown type', { content: [{ type: 'image' }] }],
    ['a text block without text', { content: [{ type: 'text' }] }],
    ['structured that is no object', { content: [], structured: [1] }],
  ])('that is none (%s) becomes an error', async (_what, value) => {
    expect(await returning(value)).toMatchObject({ isError: true, code: 'INVALID_RESULT' })
  })

  it('may hold several blocks and structured data', async () => {
    const value = { content: [...text('a').content, { type: 'json', value: { b: [1] } }], structured: { c: 1 } }
    expect(await returning(value)).toEqual(value)
  })

  it('is made plain JSON, so that the log holds what the model gets', async () => {
    const result = await returning({ content: [{ type: 'json', value: { when: new Date(0), n: Number.NaN } }] })
    expect(result.content).toEqual([{ type: 'json', value: { when: '1970-01-01T00:00:00.000Z', n: '[NaN]' } }])
    expect(harness.events('tool/result')[0]?.result).toEqual(result)
  })

  it('must fit the declared output, unless it is an error', async () => {
    const output = z.object({ id: z.string() })
    expect(await returning({ content: [], structured: { id: 1 } }, { output })).toMatchObject({
      code: 'INVALID_RESULT',
    })
    harness.ctx.tools.register(
      echoTool({
        name: 'failing',
        output,
        execute: async () => ({ content: [], structured: { reason: 'x' }, isError: true, code: 'MINE' }),
      }),
    )
    expect(await harness.run('failing', { text: 'x' })).toMatchObject({ code: 'MINE', structured: { reason: 'x' } })
  })
})

describe('finalisation', () => {
  const shout = (result: ToolResult): ToolResult => text(textOf(result).toUpperCase())

  it.each([
    ['execution', {}, { text: 'hi' }, 'HI'],
    [
      'an error',
      {
        execute: async () => {
          throw new Error('bad')
        },
      },
      { text: 'hi' },
      'BAD\n[ERROR TOOL_FAILED]',
    ],
    ['bad arguments', {}, { text: 1 }, 'THE ARGUMENTS OF ECHO'],
  ])('is the last word on what came from %s', async (_source, changes, args, expected) => {
    register({ finalizeContent: shout, ...changes })
    const result = await harness.run('echo', args)
    expect(textOf(result)).toContain(expected)
    expect(harness.events('tool/result')[0]?.result).toEqual(result)
  })

  it('is the last word on refusals, short circuits, replacements and blocks', async () => {
    register({ finalizeContent: shout })
    const cases = [
      { before: () => ({ action: 'refuse', reason: 'policy' }) },
      { before: () => ({ action: 'respond', result: text('cached') }) },
      { after: () => ({ action: 'replace', result: text('replaced') }) },
      { after: () => ({ action: 'block', reason: 'secret' }) },
    ] satisfies ToolHooks[]
    const texts: string[] = []
    for (const hooks of cases) {
      const release = harness.ctx.tools.hook(hooks)
      texts.push(textOf(await harness.run('echo', { text: 'x' })))
      release()
    }
    expect(texts).toEqual(['POLICY\n[ERROR REFUSED]', 'CACHED', 'REPLACED', 'SECRET\n[ERROR BLOCKED]'])
  })

  it('is told whose result it is', async () => {
    const seen: unknown[] = []
    register({
      finalizeContent: (result, call) => {
        seen.push([call.args, call.agent === harness.agent])
        return result
      },
    })
    await harness.run('echo', { text: 'x' })
    await harness.run('echo', {})
    expect(seen).toEqual([
      [{ text: 'x' }, true],
      [undefined, true],
    ])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('render')
      },
    ],
    ['returns no result', () => undefined as unknown as ToolResult],
  ])('that %s leads to a fixed error within 64 bytes', async (_what, finalizeContent) => {
    register({ finalizeContent })
    const result = await harness.run('echo', { text: 'x'.repeat(5000) })
    expect(result).toMatchObject({ isError: true, code: 'FINALIZE_FAILED' })
    expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(64)
  })
})

describe('a session log that refuses', () => {
  it('keeps the call from running', async () => {
    const seen = countingTool()
    harness.agent.session.guard((type) => {
      if (type === 'tool/call') throw new Error('audit is down')
    })
    const result = await harness.run('echo', { text: 'x' })
    expect(result).toMatchObject({ isError: true, code: 'REFUSED' })
    expect(textOf(result)).toContain('audit is down')
    expect(seen).toEqual([])
  })

  it('withholds the result it does not record', async () => {
    countingTool()
    harness.agent.session.guard((type, data) => {
      if (type === 'tool/result' && JSON.stringify(data).includes('done')) throw new Error('not this one')
    })
    const result = await harness.run('echo', { text: 'x' })
    expect(result).toMatchObject({ isError: true, code: 'LOG_REFUSED' })
    expect(harness.events('tool/result')).toMatchObject([{ result, outcome: 'failed' }])
  })

  it('does not stop a call whose progress it refuses', async () => {
    register({
      execute: async (_args, exec) => {
        exec.progress({ kind: 'output', text: 'half' })
        return text('whole')
      },
    })
    harness.agent.session.guard((type) => {
      if (type === 'tool/progress') throw new Error('too much')
    })
    expect(await harness.run('echo', { text: 'x' })).toEqual(text('whole'))
  })
})
