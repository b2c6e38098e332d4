import { describe, expect, it } from 'vitest'
import type { RenderIntent } from '../src/contract.js'
import { echoTool, text, useTools } from './harness.js'

const harness = useTools()

describe('the card of a call', () => {
  it('is the tool’s own', () => {
    harness.ctx.tools.register(
      echoTool({ presentCall: (args) => ({ card: 'terminal', title: (args as { text: string }).text }) }),
    )
    expect(harness.ctx.tools.presentCall('echo', { text: 'ls' }, harness.agent)).toEqual({
      card: 'terminal',
      title: 'ls',
    })
  })

  it.each([
    ['has no say', {}, { text: 'x' }],
    [
      'throws',
      {
        presentCall: () => {
          throw new Error('card')
        },
      },
      { text: 'x' },
    ],
    ['gives no card', { presentCall: () => ({ title: 'x' }) as unknown as RenderIntent }, { text: 'x' }],
    ['got bad arguments', { presentCall: () => ({ card: 'terminal', title: 'never' }) as const }, { text: 1 }],
  ])('is a generic one when the tool %s', (_what, changes, args) => {
    harness.ctx.tools.register(echoTool(changes))
    expect(harness.ctx.tools.presentCall('echo', args, harness.agent)).toEqual({
      card: 'generic',
      kind: 'other',
      title: 'echo',
    })
  })

  it('is a generic one for a tool that is not there', () => {
    expect(harness.ctx.tools.presentCall('nope', {}, harness.agent)).toEqual({
      card: 'generic',
      kind: 'other',
      title: 'nope',
    })
  })
})

describe('the card of a result', () => {
  const present = async (args: unknown) =>
    (await harness.ctx.tools.execute({ agent: harness.agent, name: 'echo', args })).presentation

  it('is the tool’s own and is logged with the result', async () => {
    const card = { card: 'terminal', title: 'ls', output: 'a b', exit: { exitCode: 0, signal: null } } as const
    harness.ctx.tools.register(echoTool({ presentResult: () => card }))
    expect(await present({ text: 'x' })).toEqual(card)
    expect(harness.events('tool/result')).toMatchObject([{ presentation: card }])
  })

  it('is a generic one with the text when the tool has no say or throws', async () => {
    const release = harness.ctx.tools.register(echoTool())
    expect(await present({ text: 'hello' })).toEqual({ card: 'generic', kind: 'other', title: 'echo', text: 'hello' })
    release()
    harness.ctx.tools.register(
      echoTool({
        presentResult: () => {
          throw new Error('card')
        },
      }),
    )
    expect(await present({ text: 'hello' })).toMatchObject({ card: 'generic', text: 'hello' })
  })

  it('shortens a long text in the middle', async () => {
    harness.ctx.tools.register(echoTool({ execute: async () => text(`begin${'x'.repeat(50_000)}end`) }))
    const card = await present({ text: 'x' })
    const shown = card.card === 'generic' ? (card.text ?? '') : ''
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(4096)
    expect(shown.startsWith('begin') && shown.endsWith('end')).toBe(true)
    expect(shown).toContain('bytes omitted')
  })

  it('is generic for arguments that were refused', async () => {
    harness.ctx.tools.register(echoTool({ presentResult: () => ({ card: 'terminal', title: 'never' }) }))
    expect(await present({ text: 1 })).toMatchObject({ card: 'generic', title: 'echo' })
  })
})
