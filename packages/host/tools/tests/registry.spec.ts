import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as tools from '../src/index.js'
import { echoTool, text, useTools } from './harness.js'

const harness = useTools()

/** Mount a plugin that uses the tools service, as every plugin with tools does. */
const mount = (use: (ctx: Context) => void) =>
  harness.ctx.plugin({ name: 'user', inject: ['tools'], apply: (ctx: Context) => use(ctx) })

describe('registering a tool', () => {
  it('offers it until the scope of the registering plugin ends', async () => {
    let changes = 0
    harness.ctx.on('tools/changed', () => void changes++)
    const fiber = mount((ctx) => void ctx.tools.register(echoTool()))
    await fiber
    expect(harness.ctx.tools.list().map(({ name }) => name)).toEqual(['echo'])
    expect(harness.ctx.tools.get('echo')?.description).toBe('Returns the text.')
    await fiber.dispose()
    expect(harness.ctx.tools.list()).toEqual([])
    expect(harness.ctx.tools.get('echo')).toBeUndefined()
    expect(changes).toBe(2)
  })

  it('ends with its release, once', () => {
    const release = harness.ctx.tools.register(echoTool())
    release()
    harness.ctx.tools.register(echoTool())
    release()
    expect(harness.ctx.tools.list()).toHaveLength(1)
  })

  it('refuses a name twice', () => {
    harness.ctx.tools.register(echoTool())
    expect(() => harness.ctx.tools.register(echoTool())).toThrowError(
      expect.objectContaining({ code: 'DUPLICATE_TOOL' }),
    )
  })

  it.each(['', 'with space', 'ünïcode', 'x'.repeat(65)])('refuses the name %j', (name) => {
    expect(() => harness.ctx.tools.register(echoTool({ name }))).toThrowError(
      expect.objectContaining({ code: 'NAME_INVALID' }),
    )
  })

  it.each([
    ['not an object', { input: z.string() }],
    ['an object behind a transformation', { input: z.object({}).transform(() => 1) }],
    ['not expressible as JSON Schema', { input: z.object({ when: z.date() }) }],
    ['an output not expressible as JSON Schema', { output: z.object({ big: z.bigint() }) }],
  ])('refuses a schema that is %s and leaves nothing behind', (_what, changes) => {
    expect(() => harness.ctx.tools.register(echoTool(changes))).toThrowError(
      expect.objectContaining({ code: 'SCHEMA_INVALID' }),
    )
    expect(harness.ctx.tools.list()).toEqual([])
  })

  it('is not disturbed by an observer that throws', () => {
    harness.ctx.on('tools/changed', () => {
      throw new Error('observer')
    })
    harness.ctx.tools.register(echoTool())
    expect(harness.ctx.tools.list()).toHaveLength(1)
  })
})

describe('schemas', () => {
  it('are what a model may send: defaults optional, nothing unknown', () => {
    harness.ctx.tools.register(
      echoTool({
        input: z.object({ text: z.string().describe('What to say.'), submit: z.boolean().default(true) }),
        output: z.object({ said: z.string() }),
      }),
    )
    expect(harness.ctx.tools.inputSchema('echo')).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        text: { type: 'string', description: 'What to say.' },
        submit: { type: 'boolean', default: true },
      },
      required: ['text'],
      additionalProperties: false,
    })
    expect(harness.ctx.tools.outputSchema('echo')).toMatchObject({ properties: { said: { type: 'string' } } })
  })

  it('are copies that a reader may change', () => {
    harness.ctx.tools.register(echoTool())
    harness.ctx.tools.inputSchema('echo').type = 'changed'
    expect(harness.ctx.tools.inputSchema('echo').type).toBe('object')
  })

  it('are absent where there is no output schema and refused for unknown tools', () => {
    harness.ctx.tools.register(echoTool())
    expect(harness.ctx.tools.outputSchema('echo')).toBeUndefined()
    expect(() => harness.ctx.tools.inputSchema('nope')).toThrowError(expect.objectContaining({ code: 'UNKNOWN_TOOL' }))
  })
})

describe('guidance', () => {
  it('is contributed and withdrawn with its plugin', async () => {
    const section = { id: 'terminal', title: 'Terminals', text: 'Close what you no longer need.' }
    const fiber = mount((ctx) => void ctx.tools.contribute(section))
    await fiber
    expect(harness.ctx.tools.guidance()).toEqual([section])
    expect(() => harness.ctx.tools.contribute(section)).toThrowError(
      expect.objectContaining({ code: 'DUPLICATE_GUIDANCE' }),
    )
    await fiber.dispose()
    expect(harness.ctx.tools.guidance()).toEqual([])
  })
})

describe('hooks', () => {
  it('go with their plugin', async () => {
    harness.ctx.tools.register(echoTool())
    const fiber = mount((ctx) => void ctx.tools.hook({ before: () => ({ action: 'refuse', reason: 'no' }) }))
    await fiber
    expect(await harness.run('echo', { text: 'x' })).toMatchObject({ code: 'REFUSED' })
    await fiber.dispose()
    expect(await harness.run('echo', { text: 'x' })).toEqual(text('x'))
  })
})

describe('configuration', () => {
  it.each([
    ['abortGraceMs', -1],
    ['progressIntervalMs', 1.5],
    ['progressLogBytes', 'many'],
    ['unknown', 1],
  ])('names the field %s when it is bad', async (field, value) => {
    const ctx = new Context()
    await expect(async () => {
      await ctx.plugin(tools, { [field]: value } as unknown as tools.Config)
    }).rejects.toThrow(field)
    await ctx.fiber.dispose()
  })
})
