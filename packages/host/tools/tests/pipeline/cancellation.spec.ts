import { useBaseline } from '@agent-terminals/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolHooks, ToolResult } from '../../src/contract.js'
import { createGate, doing, echoTool, text, textOf, useTools } from '../harness.js'

useBaseline()
const harness = useTools({ abortGraceMs: 40 })

const start = (signal: AbortSignal, name = 'echo') =>
  harness.ctx.tools.execute({ agent: harness.agent, name, args: { text: 'x' }, signal })

/** Where a call can be when it is cancelled, and how to get it there. */
const STAGES: Readonly<Record<string, (abort: () => void) => { hooks?: ToolHooks; changes?: object }>> = {
  'in a check before it': (abort) => ({
    hooks: { before: () => doing(() => abort(), { action: 'continue' } as const) },
  }),
  'while it runs': (abort) => ({ changes: { execute: async () => doing(() => abort(), text('too late')) } }),
  'while it fails': (abort) => ({
    changes: {
      execute: async () => {
        abort()
        throw new Error('because of the abort')
      },
    },
  }),
  'in a check after it': (abort) => ({ hooks: { after: () => doing(() => abort(), { action: 'keep' } as const) } }),
  'while its result is finalised': (abort) => ({
    changes: {
      finalizeContent: (result: ToolResult) => {
        abort()
        return result
      },
    },
  }),
}

describe('a call cancelled by its caller', () => {
  it.each(Object.keys(STAGES))('%s rejects with the exact reason and is logged as cancelled', async (stage) => {
    const controller = new AbortController()
    const reason = { exactly: 'this object' }
    const { hooks, changes } = STAGES[stage]?.(() => controller.abort(reason)) ?? {}
    harness.ctx.tools.register(echoTool(changes ?? {}))
    if (hooks) harness.ctx.tools.hook(hooks)
    const rejected = await start(controller.signal).catch((error: unknown) => error)
    expect(rejected).toBe(reason)
    expect(harness.events('tool/call')).toHaveLength(1)
    expect(harness.events('tool/result')).toMatchObject([
      { outcome: 'cancelled', result: { isError: true, code: 'CANCELLED' } },
    ])
    expect(JSON.stringify(harness.events('tool/result'))).not.toContain('too late')
  })

  it('before it starts runs nothing', async () => {
    let ran = 0
    harness.ctx.tools.register(echoTool({ execute: async () => doing(() => ran++, text('x')) }))
    const reason = new Error('never mind')
    await expect(start(AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(ran).toBe(0)
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'cancelled' }])
    expect(textOf(harness.events('tool/result')[0]?.result ?? text(''))).toContain('never mind')
  })

  it('rejects with the reason even when it is undefined-like or the tool is unknown', async () => {
    const controller = new AbortController()
    controller.abort()
    await expect(start(controller.signal, 'nope')).rejects.toBe(controller.signal.reason)
  })

  it('shows the tool the caller’s reason', async () => {
    const controller = new AbortController()
    const reason = new Error('mine')
    const seen: unknown[] = []
    harness.ctx.tools.register(
      echoTool({
        execute: async (_args, exec) => {
          controller.abort(reason)
          seen.push(exec.signal.aborted, exec.signal.reason)
          return text('')
        },
      }),
    )
    await start(controller.signal).catch(() => undefined)
    expect(seen).toEqual([true, reason])
  })

  it('waits for the tool to have stopped', async () => {
    const controller = new AbortController()
    const order: string[] = []
    harness.ctx.tools.register(
      echoTool({
        execute: async (_args, exec) => {
          controller.abort('stop')
          expect(exec.signal.aborted).toBe(true)
          await new Promise((resolve) => setImmediate(resolve))
          order.push('stopped')
          throw exec.signal.reason
        },
      }),
    )
    await start(controller.signal).catch(() => order.push('rejected'))
    expect(order).toEqual(['stopped', 'rejected'])
  })

  it.each([
    ['tool', (never: Promise<never>) => ({ changes: { execute: () => never } })],
    ['check', (never: Promise<never>) => ({ hooks: { before: () => never } as ToolHooks, changes: {} })],
  ])('does not wait beyond the grace for a %s that never settles', async (_what, build) => {
    const controller = new AbortController()
    const stuck = createGate<never>()
    const { changes, hooks } = { hooks: undefined, ...build(stuck.promise) }
    harness.ctx.tools.register(echoTool(changes))
    if (hooks) harness.ctx.tools.hook(hooks)
    const call = start(controller.signal)
    controller.abort('stop')
    await expect(call).rejects.toBe('stop')
    // What it does later harms nobody.
    stuck.fail(new Error('long after'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'cancelled' }])
  })

  it('is shown by the card of its tool', async () => {
    harness.ctx.tools.register(
      echoTool({
        presentResult: (args, result) => ({
          card: 'terminal',
          title: `${(args as { text: string }).text} ${result.code}`,
        }),
      }),
    )
    await start(AbortSignal.abort('stop')).catch(() => undefined)
    expect(harness.events('tool/result')).toMatchObject([{ presentation: { card: 'terminal', title: 'x CANCELLED' } }])
  })

  it('leaves no listener on the caller’s signal', async () => {
    const controller = new AbortController()
    harness.ctx.tools.register(echoTool())
    const listeners = new Set<unknown>()
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (type: string, listener: unknown, options?: unknown) => {
      listeners.add(listener)
      add(type, listener as () => void, options as { once?: boolean })
    }
    signal.removeEventListener = (type: string, listener: unknown) => {
      listeners.delete(listener)
      remove(type, listener as () => void)
    }
    await start(signal)
    expect(listeners.size).toBe(0)
  })

  it('is unaffected by an abort after its end', async () => {
    const controller = new AbortController()
    harness.ctx.tools.register(echoTool())
    const call = await start(controller.signal)
    controller.abort()
    expect(call.result).toEqual(text('x'))
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'completed' }])
  })
})

describe('a call whose agent ends', () => {
  it('is cancelled, awaited by the agent and logged before the log is sealed', async () => {
    const running = createGate()
    harness.ctx.tools.register(
      echoTool({
        execute: (_args, exec) =>
          new Promise<ToolResult>((_resolve, reject) => {
            exec.signal.addEventListener('abort', () => reject(exec.signal.reason), { once: true })
            running.open()
          }),
      }),
    )
    const call = harness.ctx.tools.execute({ agent: harness.agent, name: 'echo', args: { text: 'x' } })
    await running.promise
    await harness.agent.dispose()
    expect((await call).result).toMatchObject({ isError: true, code: 'AGENT_ENDED' })
    expect(harness.events('tool/result')).toMatchObject([{ outcome: 'cancelled', result: { code: 'AGENT_ENDED' } }])
  })

  it('does not hold the agent’s end for ever', async () => {
    const running = createGate()
    harness.ctx.tools.register(
      echoTool({ execute: () => doing(() => running.open(), new Promise<never>(() => undefined)) }),
    )
    const call = harness.ctx.tools.execute({ agent: harness.agent, name: 'echo', args: { text: 'x' } })
    await running.promise
    await harness.agent.dispose()
    expect((await call).result).toMatchObject({ code: 'AGENT_ENDED' })
  })

  it('that is already gone does not run', async () => {
    let ran = 0
    harness.ctx.tools.register(echoTool({ execute: async () => doing(() => ran++, text('x')) }))
    await harness.agent.dispose()
    expect(await harness.run('echo', { text: 'x' })).toMatchObject({ isError: true, code: 'AGENT_ENDED' })
    await expect(start(AbortSignal.abort('mine'))).rejects.toBe('mine')
    expect(ran).toBe(0)
  })

  it('leaves nothing behind on the agent’s scope', async () => {
    harness.ctx.tools.register(echoTool())
    const before = harness.agent.ctx.fiber.getEffects().length
    for (let round = 0; round < 5; round++) await harness.run('echo', { text: 'x' })
    expect(harness.agent.ctx.fiber.getEffects()).toHaveLength(before)
  })
})

describe('a call whose service ends', () => {
  it('is cancelled and awaited, and its caller gets an error result', async () => {
    const running = createGate()
    const service = harness.ctx.tools
    harness.ctx.tools.register(
      echoTool({
        execute: (_args, exec) =>
          new Promise<ToolResult>((_resolve, reject) => {
            exec.signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true })
            running.open()
          }),
      }),
    )
    const call = service.execute({ agent: harness.agent, name: 'echo', args: { text: 'x' } })
    await running.promise
    await harness.ctx.fiber.dispose()
    expect((await call).result).toMatchObject({ isError: true })
    expect(['DISPOSED', 'AGENT_ENDED']).toContain((await call).result.code)
  })
})

describe('any interleaving', () => {
  it('gives every call exactly one call event, one result event and one end', async () => {
    const step = fc.constantFrom('tick', 'abort', 'settle', 'fail')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.boolean(), async (steps, hooked) => {
        const controller = new AbortController()
        const work = createGate<ToolResult>()
        const releases = [harness.ctx.tools.register(echoTool({ name: 'gated', execute: () => work.promise }))]
        if (hooked) {
          releases.push(
            harness.ctx.tools.hook({ before: async () => ({ action: 'continue' }), after: () => ({ action: 'keep' }) }),
          )
        }
        const seen = harness.agent.session.events.length
        const end = start(controller.signal, 'gated').then(
          () => 'resolved',
          (error: unknown) => error,
        )
        let first: string | undefined
        for (const each of steps) {
          if (each === 'tick') await new Promise((resolve) => setImmediate(resolve))
          if (each !== 'tick') first ??= each
          if (each === 'abort') controller.abort('stop')
          if (each === 'settle') work.open(text('done'))
          if (each === 'fail') work.fail(new Error('failed'))
        }
        work.open(text('done'))
        const outcome = await end
        for (const release of releases) release()
        const logged = harness.agent.session.events.slice(seen)
        expect(logged.map(({ type }) => type)).toEqual(['tool/call', 'tool/result'])
        if (outcome !== 'resolved') expect(outcome).toBe('stop')
        if (first === 'abort') expect(outcome).toBe('stop')
        if (!steps.includes('abort')) expect(outcome).toBe('resolved')
      }),
      { numRuns: 60 },
    )
  })
})
