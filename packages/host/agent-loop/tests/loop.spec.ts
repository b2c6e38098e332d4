import * as agents from '@agent-terminals/agents'
import type { Agent } from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/jobs/contract'
import { createDeferred, useBaseline } from '@agent-terminals/testing'
import * as tools from '@agent-terminals/tools'
import { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as agentLoop from '../src/index.js'
import {
  answerStatus,
  breakOff,
  callTools,
  type ModelServer,
  type Recipe,
  say,
  sendMalformedChunk,
  stall,
  startModelServer,
} from './model-server.js'

useBaseline()

let ctx: Context
let agent: Agent
let server: ModelServer
const ran: string[] = []

async function boot(config: Partial<agentLoop.Config>, ...recipes: Recipe[]): Promise<void> {
  server = await startModelServer(...recipes)
  ctx = new Context()
  await ctx.plugin(agents, {})
  await ctx.plugin(tools, tools.Config.parse({}))
  await ctx.plugin(agentLoop, {
    model: { kind: 'openai-compatible', baseURL: server.baseURL, model: 'm' },
    maxRetries: 0,
    ...config,
  } as agentLoop.Config)
  ctx.tools.register({
    name: 'double',
    description: 'Double a number.',
    input: z.strictObject({ value: z.number() }),
    async execute({ value }) {
      ran.push(`double ${value}`)
      return { content: [{ type: 'text', text: String(value * 2) }], structured: { value: value * 2 } }
    },
  })
  ctx.tools.register({
    name: 'wait',
    description: 'Wait until cancelled.',
    input: z.strictObject({}),
    execute: (_, exec) =>
      new Promise((_resolve, reject) => {
        ran.push('wait')
        exec.signal.addEventListener('abort', () => reject(exec.signal.reason), { once: true })
      }),
  })
  agent = await ctx.agents.create({ cwd: process.cwd() })
}

beforeEach(() => {
  ran.length = 0
})
afterEach(async () => {
  await ctx.fiber.dispose()
  await server.close()
})

const logged = (type: string) => agent.session.events.filter((event) => event.type === type).map((event) => event.data)

describe('a turn', () => {
  test('streams the text, logs it with the usage, and completes', async () => {
    await boot({}, say('Hel', 'lo'))
    const deltas: string[] = []
    const outcome = await ctx.agentLoop.run(agent, 'hi', { onText: (delta) => deltas.push(delta) })
    expect(outcome).toEqual({ kind: 'completed', text: 'Hello' })
    expect(deltas).toEqual(['Hel', 'lo'])
    expect(logged('message/user')).toEqual([{ text: 'hi' }])
    expect(logged('message/agent')).toEqual([{ text: 'Hello' }])
    expect(logged('model/usage')).toEqual([{ inputTokens: 11, outputTokens: 7 }])
    expect(logged('turn/ended')).toEqual([{ outcome }])
  })

  test('runs several calls of one answer one after another and sends the results back', async () => {
    await boot(
      {},
      callTools({ id: 'a', name: 'double', args: '{"value": 2}' }, { id: 'b', name: 'double', args: '{"value": 5}' }),
      say('4 and 10'),
    )
    expect(await ctx.agentLoop.run(agent, 'double 2 and 5')).toEqual({ kind: 'completed', text: '4 and 10' })
    expect(ran).toEqual(['double 2', 'double 5'])
    expect(server.requests[1]?.body.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'double 2 and 5' },
      {
        role: 'assistant',
        tool_calls: [
          { id: 'a', function: { name: 'double' } },
          { id: 'b', function: { name: 'double' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '4' },
      { role: 'tool', tool_call_id: 'b', content: '10' },
    ])
  })

  test('passes on what a running call reports, with the id of the call', async () => {
    await boot({}, callTools({ id: 'a', name: 'report', args: '{}' }), say('ok'))
    ctx.tools.register({
      name: 'report',
      description: 'Report twice.',
      input: z.strictObject({}),
      async execute(_, exec) {
        for (const text of ['one', 'two']) exec.progress({ kind: 'output', text })
        return { content: [] }
      },
    })
    const heard: string[] = []
    await ctx.agentLoop.run(agent, 'go', { onProgress: (callId, { text }) => heard.push(`${callId} ${text}`) })
    expect(heard).toEqual(['a one', 'a two'])
  })

  test('carries the conversation over to the next prompt', async () => {
    await boot({}, say('one'), say('two'))
    await ctx.agentLoop.run(agent, 'first')
    await ctx.agentLoop.run(agent, 'second')
    expect(server.requests[1]?.body.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'one' },
      { role: 'user', content: 'second' },
    ])
  })

  test('offers the schema of every tool and the guidance that plugins contribute', async () => {
    await boot({ system: 'Be brief.' }, say('ok'))
    ctx.tools.contribute({ id: 'g', title: 'Doubling', text: 'Only even numbers come out.' })
    await ctx.agentLoop.run(agent, 'hi')
    const body = server.requests[0]?.body
    expect(body?.messages).toMatchObject([
      { role: 'system', content: 'Be brief.\n\n## Doubling\n\nOnly even numbers come out.' },
      { role: 'user' },
    ])
    expect(body?.tools).toMatchObject([
      { function: { name: 'double', parameters: { properties: { value: { type: 'number' } } } } },
      { function: { name: 'wait' } },
    ])
  })

  test('tells the model what its background jobs came to', async () => {
    await boot({}, say('ok'))
    agent.session.append('job/settled', { jobId: 'x-1', status: 'completed', text: 'Job x-1 completed: 42' })
    await ctx.agentLoop.run(agent, 'and?')
    expect(server.requests[0]?.body.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', content: '[notice] Job x-1 completed: 42' },
      { role: 'user', content: 'and?' },
    ])
  })

  test('gives a call id that was used before a new name', async () => {
    const call = { id: 'call_0', name: 'double', args: '{"value": 1}' }
    await boot({}, callTools(call), callTools(call), say('done'))
    await ctx.agentLoop.run(agent, 'twice')
    expect(logged('tool/call')).toMatchObject([{ callId: 'call_0' }, { callId: 'call_0-2' }])
  })

  test('gives bad arguments and unknown tools back to the model as errors', async () => {
    await boot(
      {},
      callTools({ id: 'a', name: 'double', args: '{"value": "two"}' }, { id: 'b', name: 'triple', args: '{}' }),
      callTools({ id: 'c', name: 'double', args: '{"value": ' }),
      say('sorry'),
    )
    expect(await ctx.agentLoop.run(agent, 'go')).toMatchObject({ kind: 'completed' })
    expect(ran).toEqual([])
    expect(logged('tool/result')).toMatchObject([
      { callId: 'a', result: { isError: true } },
      { callId: 'b', result: { isError: true } },
      { callId: 'c', result: { isError: true } },
    ])
  })

  test('stops at the step limit', async () => {
    const call = (id: string) => callTools({ id, name: 'double', args: '{"value": 1}' })
    await boot({ maxSteps: 2 }, call('a'), call('b'), say('never asked'))
    expect(await ctx.agentLoop.run(agent, 'loop')).toEqual({ kind: 'step-limit', steps: 2 })
    expect(server.requests).toHaveLength(2)
  })
})

describe('cancelling', () => {
  test('ends a model request that hangs', async () => {
    const started = createDeferred()
    await boot({}, stall(started.resolve))
    const controller = new AbortController()
    const turn = ctx.agentLoop.run(agent, 'hi', { signal: controller.signal })
    await started.promise
    controller.abort(new Error('enough'))
    expect(await turn).toEqual({ kind: 'cancelled' })
    expect(logged('turn/ended')).toEqual([{ outcome: { kind: 'cancelled' } }])
  })

  test('keeps what the answer had said, for the next prompt as well', async () => {
    await boot(
      {},
      stall(() => undefined),
      say('so'),
    )
    const controller = new AbortController()
    await ctx.agentLoop.run(agent, 'hi', {
      signal: controller.signal,
      onText: () => controller.abort(new Error('stop')),
    })
    expect(logged('message/agent')).toEqual([{ text: 'thinking' }])
    await ctx.agentLoop.run(agent, 'go on')
    expect(server.requests[1]?.body.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'thinking' },
      { role: 'user', content: 'go on' },
    ])
  })

  test('ends a tool that runs, and the next prompt has an answer for its call', async () => {
    await boot({}, callTools({ id: 'a', name: 'wait', args: '{}' }), say('fine'))
    const controller = new AbortController()
    agent.session.onEvent((event) => {
      if (event.type === 'tool/call') queueMicrotask(() => controller.abort(new Error('enough')))
    })
    expect(await ctx.agentLoop.run(agent, 'wait', { signal: controller.signal })).toEqual({ kind: 'cancelled' })
    expect(logged('tool/result')).toMatchObject([{ callId: 'a', outcome: 'cancelled' }])

    expect(await ctx.agentLoop.run(agent, 'and now')).toEqual({ kind: 'completed', text: 'fine' })
    expect(server.requests[1]?.body.messages).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'wait' },
      { role: 'assistant', tool_calls: [{ id: 'a' }] },
      { role: 'tool', tool_call_id: 'a' },
      { role: 'user', content: 'and now' },
    ])
  })

  test('the end of the agent cancels its turn and awaits it', async () => {
    const started = createDeferred()
    await boot({}, stall(started.resolve))
    const turn = ctx.agentLoop.run(agent, 'hi')
    await started.promise
    await agent.dispose()
    expect(await turn).toEqual({ kind: 'cancelled' })
    expect(await ctx.agentLoop.run(agent, 'again')).toEqual({ kind: 'cancelled' })
  })

  test('a second prompt while one runs is refused', async () => {
    const started = createDeferred()
    await boot({}, stall(started.resolve))
    const controller = new AbortController()
    const turn = ctx.agentLoop.run(agent, 'hi', { signal: controller.signal })
    await started.promise
    expect(await ctx.agentLoop.run(agent, 'me too')).toMatchObject({ kind: 'failed', code: 'TURN_ACTIVE' })
    controller.abort(new Error('enough'))
    await turn
  })
})

describe('a faulty endpoint', () => {
  test.each([
    ['429', 'MODEL_RATE_LIMITED', answerStatus(429, 'slow down')],
    ['500', 'MODEL_REFUSED', answerStatus(500, 'broken')],
    ['401', 'MODEL_REFUSED', answerStatus(401, 'bad key')],
    ['a malformed chunk', 'MODEL_PROTOCOL', sendMalformedChunk],
    ['a connection that breaks off', 'MODEL_UNREACHABLE', breakOff],
  ])('that answers with %s fails the turn with %s and leaves the agent usable', async (_, code, recipe) => {
    await boot({}, recipe, say('better'))
    expect(await ctx.agentLoop.run(agent, 'hi')).toMatchObject({ kind: 'failed', code })
    expect(await ctx.agentLoop.run(agent, 'again')).toEqual({ kind: 'completed', text: 'better' })
  })

  test('is asked again as often as configured', async () => {
    await boot({ maxRetries: 1 }, answerStatus(500, 'broken'), say('better'))
    expect(await ctx.agentLoop.run(agent, 'hi')).toEqual({ kind: 'completed', text: 'better' })
  })

  test('that cannot be reached is named', async () => {
    await boot({}, say('never asked'))
    const { baseURL } = server
    await server.close()
    const outcome = await ctx.agentLoop.run(agent, 'hi')
    expect(outcome).toMatchObject({ kind: 'failed', code: 'MODEL_UNREACHABLE' })
    expect(outcome).toHaveProperty('message', expect.stringContaining(baseURL))
  })
})

describe('the API key', () => {
  test('is read from the named variable and sent as a bearer token', async () => {
    process.env.LOOP_TEST_KEY = 'sekret'
    try {
      const baseURL = 'http://127.0.0.1:9/v1'
      await boot({}, say('ok'))
      await ctx.fiber.dispose()
      await boot({ model: { kind: 'openai-compatible', baseURL, apiKeyEnv: 'LOOP_TEST_KEY', model: 'm', headers: {} } })
      expect(await ctx.agentLoop.run(agent, 'hi')).toMatchObject({ kind: 'failed', code: 'MODEL_UNREACHABLE' })
    } finally {
      delete process.env.LOOP_TEST_KEY
    }
  })

  test('that is missing fails the turn and names the variable', async () => {
    await boot({
      model: {
        kind: 'openai-compatible',
        baseURL: 'http://127.0.0.1:9/v1',
        apiKeyEnv: 'LOOP_TEST_NO_KEY',
        model: 'm',
        headers: {},
      },
    })
    expect(await ctx.agentLoop.run(agent, 'hi')).toMatchObject({
      kind: 'failed',
      code: 'API_KEY_MISSING',
      message: expect.stringContaining('LOOP_TEST_NO_KEY'),
    })
  })
})
