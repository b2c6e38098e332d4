import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../../src/contract.js'
import { createGate, echoTool, text, useTools } from '../harness.js'

useBaseline()
const harness = useTools()

type Args = { readonly text: string }

/** A tool that conceals its text, and what it ran with. */
function setUp(concealArguments: ToolDefinition['concealArguments'], changes: Partial<ToolDefinition> = {}) {
  const ran: { readonly args: unknown; readonly keptArgs: unknown }[] = []
  harness.ctx.tools.register(
    echoTool({
      execute: async (args, exec) => {
        ran.push({ args, keptArgs: exec.keptArgs })
        return text('done')
      },
      presentCall: (args) => ({ card: 'generic', kind: 'execute', title: `call ${(args as Args).text}` }),
      presentResult: (args) => ({ card: 'generic', kind: 'execute', title: `result ${(args as Args).text}` }),
      ...(concealArguments ? { concealArguments } : {}),
      ...changes,
    }),
  )
  return ran
}

const conceal = async (args: unknown) => ({ ...(args as Args), text: '[hidden]' })

/** The log and everything that was handed out. */
async function callAndGather(args: unknown): Promise<string> {
  const executed = await harness.ctx.tools.execute({ agent: harness.agent, name: 'echo', args })
  return JSON.stringify([executed, harness.agent.session.events])
}

describe('concealed arguments', () => {
  it('reach the tool and nothing else', async () => {
    const ran = setUp(conceal)
    expect(await callAndGather({ text: 'secret', times: 2 })).not.toContain('secret')
    expect(ran).toEqual([{ args: { text: 'secret', times: 2 }, keptArgs: { text: '[hidden]', times: 2 } }])
    expect(harness.events('tool/call')).toMatchObject([
      { args: { text: '[hidden]', times: 2 }, presentation: { title: 'call [hidden]' } },
    ])
    expect(harness.events('tool/result')).toMatchObject([{ presentation: { title: 'result [hidden]' } }])
  })

  it('are decided before the call is logged', async () => {
    const gate = createGate()
    setUp(async (args) => {
      await gate.promise
      return conceal(args)
    })
    const call = callAndGather({ text: 'secret' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(harness.events('tool/call')).toEqual([])
    gate.open()
    expect(await call).not.toContain('secret')
  })

  it('are those of a policy too, when it rewrote them', async () => {
    const ran = setUp(conceal)
    harness.ctx.tools.hook({ before: () => ({ action: 'continue', args: { text: 'other secret' } }) })
    expect(await callAndGather({ text: 'secret' })).not.toContain('secret')
    expect(ran).toEqual([{ args: { text: 'other secret' }, keptArgs: { text: '[hidden]' } }])
    expect(harness.events('tool/result')).toMatchObject([{ executedArgs: { text: '[hidden]' } }])
  })

  it('stay concealed when the call fails or is refused', async () => {
    setUp(conceal, {
      execute: async () => {
        throw new Error('failed')
      },
    })
    expect(await callAndGather({ text: 'secret' })).not.toContain('secret')
    harness.ctx.tools.hook({ before: () => ({ action: 'refuse', reason: 'no' }) })
    expect(await callAndGather({ text: 'secret' })).not.toContain('secret')
  })

  it('stay concealed when the call is cancelled', async () => {
    const abort = new AbortController()
    setUp(conceal, {
      execute: async (_args, { signal }) => {
        abort.abort(new Error('enough'))
        signal.throwIfAborted()
        return text('')
      },
    })
    const call = harness.ctx.tools.execute({
      agent: harness.agent,
      name: 'echo',
      args: { text: 'secret' },
      signal: abort.signal,
    })
    await expect(call).rejects.toThrow('enough')
    expect(JSON.stringify(harness.agent.session.events)).not.toContain('secret')
  })

  it('are all of them when the tool fails to say, and the call goes on', async () => {
    const ran = setUp(async () => {
      throw new Error('cannot look')
    })
    expect(await callAndGather({ text: 'secret' })).not.toContain('secret')
    expect(ran).toEqual([{ args: { text: 'secret' }, keptArgs: undefined }])
    expect(harness.events('tool/call')).toMatchObject([{ args: '[withheld]', presentation: { title: 'echo' } }])
  })

  it('are shown to policies as they may be kept, beside what they are', async () => {
    const seen: unknown[] = []
    setUp(conceal)
    harness.ctx.tools.hook({
      before: ({ args, exec }) => {
        seen.push(args, exec.keptArgs)
        return { action: 'continue' }
      },
    })
    await callAndGather({ text: 'secret' })
    expect(seen).toEqual([{ text: 'secret' }, { text: '[hidden]' }])
  })
})

it('a tool that conceals nothing has its arguments kept as they are', async () => {
  const ran = setUp(async () => undefined)
  expect(await callAndGather({ text: 'plain' })).toContain('call plain')
  expect(ran).toEqual([{ args: { text: 'plain' }, keptArgs: { text: 'plain' } }])
})
