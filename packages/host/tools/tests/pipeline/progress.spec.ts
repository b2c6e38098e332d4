import { useBaseline } from '@agent-terminals/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ToolExecution, ToolProgress } from '../../src/contract.js'
import { createProgressReporter } from '../../src/pipeline/progress.js'
import { echoTool, text, useTools } from '../harness.js'

useBaseline()

const output = (value: string): ToolProgress => ({ kind: 'output', text: value })

describe('a progress reporter', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function create(maxBytes = 1000, intervalMs = 50) {
    const heard: string[] = []
    const recorded: [string, number | undefined][] = []
    const errors: unknown[] = []
    const reporter = createProgressReporter({
      listener: (progress) => void heard.push(progress.text),
      record: (progress, omittedBytes) => void recorded.push([progress.text, omittedBytes]),
      intervalMs,
      maxBytes,
      onListenerError: (error) => errors.push(error),
    })
    return { reporter, heard, recorded, errors }
  }

  it('tells the listener everything at once and in order', () => {
    const { reporter, heard } = create()
    for (const piece of ['a', 'b', 'c']) reporter.report(output(piece))
    expect(heard).toEqual(['a', 'b', 'c'])
  })

  it('records the first piece at once and merges what follows within the interval', () => {
    const { reporter, recorded } = create()
    for (const piece of ['a', 'b', 'c']) reporter.report(output(piece))
    expect(recorded).toEqual([['a', undefined]])
    vi.advanceTimersByTime(50)
    expect(recorded).toEqual([
      ['a', undefined],
      ['bc', undefined],
    ])
  })

  it('has no timer once nothing is pending', () => {
    const { reporter } = create()
    reporter.report(output('a'))
    vi.advanceTimersByTime(50)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('records what is pending at the end and takes nothing afterwards', () => {
    const { reporter, heard, recorded } = create()
    for (const piece of ['a', 'b']) reporter.report(output(piece))
    reporter.end()
    reporter.end()
    reporter.report(output('late'))
    expect(recorded.map(([piece]) => piece)).toEqual(['a', 'b'])
    expect(heard).toEqual(['a', 'b'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stops calling a listener that throws, and records on', () => {
    const errors: unknown[] = []
    const recorded: string[] = []
    const reporter = createProgressReporter({
      listener: () => {
        throw new Error('ui')
      },
      record: (progress) => void recorded.push(progress.text),
      intervalMs: 0,
      maxBytes: 1000,
      onListenerError: (error) => errors.push(error),
    })
    reporter.report(output('a'))
    reporter.report(output('b'))
    reporter.end()
    expect(errors).toHaveLength(1)
    expect(recorded.join('')).toBe('ab')
  })

  it('keeps the log within its bound for any flood and tells how much is missing', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'é', '語', '🐚'), maxLength: 30 })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 0, max: 200 }), (pieces, maxBytes) => {
        const { reporter, heard, recorded } = create(maxBytes)
        for (const each of pieces) {
          reporter.report(output(each))
          if (each.length % 3 === 0) vi.advanceTimersByTime(50)
        }
        reporter.end()
        const all = pieces.join('')
        const kept = recorded.map(([recordedText]) => recordedText).join('')
        expect(heard.join('')).toBe(all)
        expect(all.startsWith(kept)).toBe(true)
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(maxBytes)
        expect(kept).not.toMatch(/\ufffd/)
        const omitted = recorded.map(([, bytes]) => bytes).filter((bytes) => bytes !== undefined)
        const missing = Buffer.byteLength(all) - Buffer.byteLength(kept)
        expect(omitted).toEqual(missing > 0 ? [missing] : [])
      }),
    )
  })
})

describe('progress of a call', () => {
  const harness = useTools({ progressLogBytes: 10 })

  it('reaches caller and log in order, between call and result', async () => {
    const heard: string[] = []
    harness.ctx.tools.register(
      echoTool({
        execute: async (_args, exec) => {
          for (const piece of ['a', 'b', 'c']) exec.progress(output(piece))
          return text('abc')
        },
      }),
    )
    await harness.ctx.tools.execute({
      agent: harness.agent,
      name: 'echo',
      args: { text: 'x' },
      onProgress: (progress) => void heard.push(progress.text),
    })
    expect(heard).toEqual(['a', 'b', 'c'])
    expect(harness.agent.session.events.map(({ type }) => type)).toEqual([
      'session/started',
      'tool/call',
      'tool/progress',
      'tool/progress',
      'tool/result',
    ])
    expect(harness.events('tool/progress').map(({ progress }) => progress.text)).toEqual(['a', 'bc'])
  })

  it('that floods cannot fill the log', async () => {
    harness.ctx.tools.register(
      echoTool({
        execute: async (_args, exec) => {
          for (let round = 0; round < 1000; round++) exec.progress(output('12345678'))
          return text('')
        },
      }),
    )
    await harness.run('echo', { text: 'x' })
    const events = harness.events('tool/progress')
    expect(events.map(({ progress }) => progress.text).join('')).toBe('1234567812')
    expect(events.at(-1)?.omittedBytes).toBe(7990)
    expect(events.length).toBeLessThanOrEqual(3)
  })

  it('after the end of the call is ignored', async () => {
    const kept: ToolExecution[] = []
    let heard = 0
    harness.ctx.tools.register(
      echoTool({
        execute: async (_args, exec) => {
          kept.push(exec)
          return text('')
        },
      }),
    )
    await harness.ctx.tools.execute({
      agent: harness.agent,
      name: 'echo',
      args: { text: 'x' },
      onProgress: () => void heard++,
    })
    kept[0]?.progress(output('late'))
    expect(heard).toBe(0)
    expect(harness.events('tool/progress')).toEqual([])
  })
})
