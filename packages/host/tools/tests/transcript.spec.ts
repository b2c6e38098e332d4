import type { SessionEvent } from '@agent-terminals/agents/contract'
import { useBaseline } from '@agent-terminals/testing'
import { expect, it } from 'vitest'
import { rebuildTranscript, type TranscriptEntry } from '../src/index.js'
import { echoTool, text, useTools } from './harness.js'

useBaseline()
const harness = useTools()

/** The log as somebody finds it later. */
const readBack = (): SessionEvent[] => JSON.parse(JSON.stringify(harness.agent.session.events)) as SessionEvent[]

it('what reached the model can be rebuilt from the log alone', async () => {
  const { ctx, agent } = harness
  ctx.tools.register(
    echoTool({
      execute: async (args, exec) => {
        const { text: value } = args as { text: string }
        exec.progress({ kind: 'output', text: 'for people only' })
        if (value === 'fail') throw Object.assign(new Error('no'), { code: 'MINE' })
        return { ...text(value), structured: { n: Number.NaN, when: new Date(0) } }
      },
      finalizeContent: (result) => ({ ...result, content: [...result.content, { type: 'json', value: [1] }] }),
    }),
  )
  ctx.tools.hook({
    before: ({ args }) =>
      (args as { text: string }).text === 'refuse'
        ? { action: 'refuse', reason: 'policy' }
        : { action: 'continue', args: { text: `${(args as { text: string }).text}` } },
    after: ({ args, result }) =>
      (args as { text: string }).text === 'block'
        ? { action: 'block', reason: 'secret' }
        : { action: 'replace', result },
  })

  // What a model loop holds in memory: everything it sent and everything it was given.
  const given: TranscriptEntry[] = []
  agent.session.append('message/user', { text: 'do things' })
  given.push({ kind: 'user', text: 'do things' })
  const calls: [string, unknown][] = [
    ['echo', { text: 'hello' }],
    ['echo', { text: 'fail' }],
    ['echo', { text: 'refuse' }],
    ['echo', { text: 'block' }],
    ['echo', { text: 1, extra: null }],
    ['nope', { a: [1, { b: 'c' }] }],
  ]
  for (const [index, [tool, args]] of calls.entries()) {
    const callId = `c${index}`
    given.push({ kind: 'call', callId, tool, args })
    const { result } = await ctx.tools.execute({ agent, name: tool, args, callId })
    given.push({ kind: 'result', callId, tool, result })
  }
  agent.session.append('message/agent', { text: 'done' })
  given.push({ kind: 'agent', text: 'done' })

  expect(rebuildTranscript(readBack())).toEqual(given)
})

it('a cancelled call has a result too, so that no call stays without one', async () => {
  const { ctx, agent } = harness
  ctx.tools.register(echoTool())
  await ctx.tools
    .execute({ agent, name: 'echo', args: { text: 'x' }, callId: 'c1', signal: AbortSignal.abort('user pressed stop') })
    .catch(() => undefined)
  expect(rebuildTranscript(readBack())).toMatchObject([
    { kind: 'call', callId: 'c1' },
    { kind: 'result', callId: 'c1', result: { isError: true, code: 'CANCELLED' } },
  ])
})

it('events of other packages are notices where somebody says how they read', () => {
  harness.agent.session.append('message/user', { text: 'hi' })
  const notices = { 'session/started': ({ cwd }: { readonly cwd: string }) => `started in ${cwd}` }
  expect(rebuildTranscript(readBack(), notices)).toEqual([
    { kind: 'notice', type: 'session/started', text: `started in ${harness.agent.cwd}` },
    { kind: 'user', text: 'hi' },
  ])
})
