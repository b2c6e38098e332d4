import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import type { BeforeExecute, ToolHooks, ToolResult } from '../../src/contract.js'
import { doing, echoTool, text, textOf, useTools } from '../harness.js'

useBaseline()
const harness = useTools()

/** Register a tool that records what it ran with, below the given hooks. */
function setUp(...hooks: ToolHooks[]): unknown[] {
  const seen: unknown[] = []
  harness.ctx.tools.register(
    echoTool({
      execute: async (args) => {
        seen.push(args)
        return text((args as { text: string }).text)
      },
    }),
  )
  for (const each of hooks) harness.ctx.tools.hook(each)
  return seen
}

const before = (answer: (args: unknown) => unknown): ToolHooks => ({
  before: ({ args }) => answer(args) as BeforeExecute,
})

describe('before a call', () => {
  it('a policy refuses with its reason and code, and nothing runs', async () => {
    const seen = setUp(before(() => ({ action: 'refuse', reason: 'not on Sundays', code: 'SUNDAY' })))
    const result = await harness.run('echo', { text: 'x' })
    expect(result).toEqual({ ...text('not on Sundays\n[error SUNDAY]'), isError: true, code: 'SUNDAY' })
    expect(seen).toEqual([])
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'refused' }])
  })

  it('policies are asked in order, each with the arguments the one before left', async () => {
    const asked: unknown[] = []
    const rewrite = (suffix: string) =>
      before((args) => {
        asked.push(args)
        return { action: 'continue', args: { text: (args as { text: string }).text + suffix } }
      })
    const seen = setUp(rewrite('1'), rewrite('2'))
    await harness.run('echo', { text: 'x' })
    expect(asked).toEqual([{ text: 'x' }, { text: 'x1' }])
    expect(seen).toEqual([{ text: 'x12' }])
  })

  it('the log keeps what the model sent and what the tool ran with', async () => {
    setUp(before(() => ({ action: 'continue', args: { text: 'other' } })))
    await harness.run('echo', { text: 'x' })
    expect(harness.events('tool/call')).toMatchObject([{ args: { text: 'x' } }])
    expect(harness.events('tool/result')).toMatchObject([{ executedArgs: { text: 'other' } }])
  })

  it('rewritten arguments are validated again', async () => {
    const seen = setUp(before(() => ({ action: 'continue', args: { text: 'x', sneaky: true } })))
    const result = await harness.run('echo', { text: 'x' })
    expect(result).toMatchObject({ isError: true, code: 'INVALID_ARGUMENTS' })
    expect(textOf(result)).toContain('A policy rewrote the arguments of echo')
    expect(textOf(result)).toContain('sneaky: not a known parameter')
    expect(seen).toEqual([])
  })

  it('a policy cannot change the arguments in place', async () => {
    const seen = setUp(
      before((args) => {
        ;(args as { text: string }).text = 'changed'
        return { action: 'continue' }
      }),
    )
    expect(await harness.run('echo', { text: 'x' })).toMatchObject({ code: 'HOOK_FAILED' })
    expect(seen).toEqual([])
  })

  it('a short circuit answers instead of the tool, and later policies are not asked', async () => {
    let asked = 0
    const seen = setUp(
      before(() => ({ action: 'respond', result: text('cached') })),
      before(() => doing(() => asked++, { action: 'continue' } as const)),
    )
    expect(await harness.run('echo', { text: 'x' })).toEqual(text('cached'))
    expect(seen).toEqual([])
    expect(asked).toBe(0)
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'completed' }])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('policy bug')
      },
      'policy bug',
    ],
    ['rejects', () => Promise.reject(new Error('policy bug')), 'policy bug'],
    ['answers nothing', () => undefined, 'an answer that is none'],
    ['answers nonsense', () => ({ action: 'perhaps' }), 'an answer that is none'],
    ['responds with no result', () => ({ action: 'respond', result: 'text' }), 'an answer that is none'],
  ])('a policy that %s counts as a refusal', async (_what, answer, reason) => {
    const seen = setUp(before(answer))
    const result = await harness.run('echo', { text: 'x' })
    expect(result).toMatchObject({ isError: true, code: 'HOOK_FAILED' })
    expect(textOf(result)).toContain(reason)
    expect(seen).toEqual([])
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'refused' }])
  })

  it('the hooks that count are those there when the call came', async () => {
    setUp({
      before: () => {
        harness.ctx.tools.hook(before(() => ({ action: 'refuse', reason: 'too late' })))
        return { action: 'continue' }
      },
    })
    expect(await harness.run('echo', { text: 'x' })).toEqual(text('x'))
  })
})

describe('after a call', () => {
  it('a policy replaces the result, and the next sees the replacement', async () => {
    const replace = (suffix: string): ToolHooks => ({
      after: ({ result }) => ({ action: 'replace', result: text(textOf(result) + suffix) }),
    })
    setUp(replace('1'), replace('2'))
    expect(await harness.run('echo', { text: 'x' })).toEqual(text('x12'))
  })

  it('a policy blocks the result, which then reaches neither model nor log', async () => {
    setUp({ after: () => ({ action: 'block', reason: 'it held a key' }) })
    const result = await harness.run('echo', { text: 'hunter2' })
    expect(result).toEqual({ ...text('it held a key\n[error BLOCKED]'), isError: true, code: 'BLOCKED' })
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'refused', result }])
    expect(JSON.stringify(harness.events('tool/result'))).not.toContain('hunter2')
  })

  it('policies see failures and short circuits, but no refusals', async () => {
    const seen: string[] = []
    const watch: ToolHooks = {
      after: ({ result }) => doing(() => seen.push(textOf(result)), { action: 'keep' } as const),
    }
    setUp(watch)
    harness.ctx.tools.register(
      echoTool({
        name: 'failing',
        execute: async () => {
          throw new Error('bad')
        },
      }),
    )
    await harness.run('failing', { text: 'x' })
    const answer = harness.ctx.tools.hook(before(() => ({ action: 'respond', result: text('cached') })))
    await harness.run('echo', { text: 'x' })
    answer()
    harness.ctx.tools.hook(before(() => ({ action: 'refuse', reason: 'no' })))
    await harness.run('echo', { text: 'x' })
    expect(seen).toEqual(['bad\n[error TOOL_FAILED]', 'cached'])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('scanner down')
      },
    ],
    ['answers nonsense', () => ({ action: 'perhaps' })],
    ['replaces by no result', () => ({ action: 'replace', result: 7 as unknown as ToolResult })],
  ])('a policy that %s withholds the result', async (_what, after) => {
    setUp({ after } as unknown as ToolHooks)
    const result = await harness.run('echo', { text: 'hunter2' })
    expect(result).toMatchObject({ isError: true, code: 'HOOK_FAILED' })
    expect(textOf(result)).not.toContain('hunter2')
  })
})
