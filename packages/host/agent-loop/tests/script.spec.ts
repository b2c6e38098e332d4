import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as agents from '@agent-terminals/agents'
import type { Agent } from '@agent-terminals/agents/contract'
import { useBaseline } from '@agent-terminals/testing'
import * as tools from '@agent-terminals/tools'
import { Context } from '@deepseek-ai/cordis'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as agentLoop from '../src/index.js'
import { resolveReferences } from '../src/script/references.js'

useBaseline()

let ctx: Context
let agent: Agent

/** A tool that gives out a new id per call, and one that takes it. */
async function boot(script: agentLoop.ScriptInput): Promise<void> {
  ctx = new Context()
  await ctx.plugin(agents, {})
  await ctx.plugin(tools, tools.Config.parse({}))
  await ctx.plugin(agentLoop, { model: { kind: 'script', script } } as never)
  let opened = 0
  ctx.tools.register({
    name: 'open',
    description: 'Open a thing.',
    input: z.strictObject({}),
    async execute() {
      const thingId = `thing-${crypto.randomUUID()}`
      return { content: [{ type: 'text', text: `opened ${thingId}` }], structured: { thingId, number: ++opened } }
    },
  })
  ctx.tools.register({
    name: 'use',
    description: 'Use a thing.',
    input: z.strictObject({ thingId: z.string().startsWith('thing-'), note: z.string().optional() }),
    async execute({ thingId, note }) {
      return { content: [{ type: 'text', text: `used ${thingId} ${note ?? ''}` }], structured: { thingId } }
    },
  })
  agent = await ctx.agents.create({ cwd: process.cwd() })
}
afterEach(() => ctx.fiber.dispose())

const openAndUse = {
  prompts: [
    {
      steps: [
        { text: 'I open.', calls: [{ tool: 'open', as: 'thing' }] },
        {
          calls: [
            {
              tool: 'use',
              args: { thingId: '${thing.thingId}', note: 'number ${thing.number}!' },
              expect: { text: ['used thing-', 'number 1!'] },
            },
            { tool: 'use', args: { thingId: 7 }, expect: { isError: true } },
          ],
        },
      ],
      reply: 'Done.',
    },
  ],
} satisfies agentLoop.ScriptInput

describe('a scripted model', () => {
  test('replays its calls in order, with references to earlier results', async () => {
    await boot(openAndUse)
    expect(await ctx.agentLoop.run(agent, 'go')).toEqual({ kind: 'completed', text: 'Done.' })
    const calls = agent.session.events.flatMap((event) => (event.type === 'tool/call' ? [event.data] : []))
    expect(calls).toMatchObject([
      { callId: 'script-1-1', tool: 'open' },
      { callId: 'script-1-2', tool: 'use', args: { note: 'number 1!' } },
      { callId: 'script-1-3', tool: 'use' },
    ])
  })

  test('fails the turn at the first result that is not as expected, and shows it', async () => {
    await boot({
      prompts: [
        {
          steps: [
            { calls: [{ tool: 'open', expect: { text: 'closed', structured: { number: 2 } } }] },
            { calls: [{ tool: 'open' }] },
          ],
        },
      ],
    })
    const outcome = await ctx.agentLoop.run(agent, 'go')
    expect(outcome).toMatchObject({ kind: 'failed', code: 'SCRIPT_MISMATCH' })
    expect(outcome).toHaveProperty(
      'message',
      expect.stringContaining('the text lacks "closed"; number is 1, expected 2'),
    )
    expect(agent.session.events.filter((event) => event.type === 'tool/call')).toHaveLength(1)
  })

  test('checks the last call of a turn as well', async () => {
    await boot({ prompts: [{ steps: [{ calls: [{ tool: 'open', expect: { absent: 'opened' } }] }] }] })
    expect(await ctx.agentLoop.run(agent, 'go')).toMatchObject({ kind: 'failed', code: 'SCRIPT_MISMATCH' })
  })

  test('has nothing to say to a prompt beyond its last entry', async () => {
    await boot({ prompts: [{ reply: 'one' }] })
    expect(await ctx.agentLoop.run(agent, 'a')).toEqual({ kind: 'completed', text: 'one' })
    expect(await ctx.agentLoop.run(agent, 'b')).toMatchObject({ kind: 'failed', code: 'SCRIPT_EXHAUSTED' })
  })

  test('a recorded session replays with ids of its own', async () => {
    await boot(openAndUse)
    await ctx.agentLoop.run(agent, 'go')
    const recorded = agentLoop.recordScript(agent.session.events)
    const first = agent.session.events.filter((event) => event.type === 'tool/result')
    await ctx.fiber.dispose()

    await boot(recorded)
    expect(await ctx.agentLoop.run(agent, 'go')).toEqual({ kind: 'completed', text: 'Done.' })
    const second = agent.session.events.filter((event) => event.type === 'tool/result')
    expect(second).toHaveLength(first.length)
    expect(second[1]).toMatchObject({ data: { result: { content: [{ text: expect.stringContaining('number 1!') }] } } })
    expect(JSON.stringify(recorded)).not.toContain('thing-')
  })
})

describe('references', () => {
  const lookUp = (name: string) => (name === 'a' ? { id: 'x', count: 3, list: [1] } : undefined)

  test.each([
    ['a whole string becomes the value itself', '${a.count}', 3],
    ['a part of a string becomes text', 'n=${a.count};', 'n=3;'],
    ['two references in a string are both replaced', '${a.id}-${a.id}', 'x-x'],
    ['objects and arrays are searched', { k: ['${a.list}'] }, { k: [[1]] }],
    ['a shell variable stays as it is', 'echo $HOME ${HOME}', 'echo $HOME ${HOME}'],
  ])('%s', (_, value, expected) => {
    expect(resolveReferences(value, lookUp)).toEqual(expected)
  })

  test('a name or field that is not there is an error', () => {
    expect(() => resolveReferences('${b.id}', lookUp)).toThrowError(/refers to nothing/)
    expect(() => resolveReferences('${a.no}', lookUp)).toThrowError(/refers to nothing/)
  })
})

describe('configuration', () => {
  test.each([
    ['neither path nor script', { model: { kind: 'script' } }, 'model'],
    [
      'a key instead of a variable name',
      { model: { kind: 'openai-compatible', baseURL: 'http://h/v1', apiKeyEnv: 'sk-123', model: 'm' } },
      'model.apiKeyEnv',
    ],
    ['a base that is no URL', { model: { kind: 'openai-compatible', baseURL: 'here', model: 'm' } }, 'model.baseURL'],
    ['no steps', { model: { kind: 'script', path: 'x' }, maxSteps: 0 }, 'maxSteps'],
  ])('%s is refused and the field named', (_, config, field) => {
    expect(agentLoop.Config.safeParse(config).error?.issues.map((issue) => issue.path.join('.'))).toContain(field)
  })

  test('a script file is looked up beside the composition', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'script-'))
    try {
      writeFileSync(join(directory, 'calls.json'), JSON.stringify({ prompts: [{ reply: 'found' }] }))
      ctx = new Context()
      ctx.baseUrl = `${pathToFileURL(directory).href}/`
      await ctx.plugin(agents, {})
      await ctx.plugin(tools, tools.Config.parse({}))
      await ctx.plugin(agentLoop, agentLoop.Config.parse({ model: { kind: 'script', path: 'calls.json' } }))
      agent = await ctx.agents.create({ cwd: process.cwd() })
      expect(await ctx.agentLoop.run(agent, 'go')).toEqual({ kind: 'completed', text: 'found' })
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  test('a script file that is missing or wrong is refused with its path', () => {
    expect(() => agentLoop.loadScript('/no/such.json')).toThrowError(/\/no\/such\.json cannot be read as JSON/)
  })
})
