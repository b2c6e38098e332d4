import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { Context, Service } from '@deepseek-ai/cordis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Agent } from '../src/contract.js'
import * as agents from '../src/index.js'

useBaseline()

let directory: string
let file: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'agents-'))
  file = join(directory, 'file')
  writeFileSync(file, '')
})
afterAll(() => rmSync(directory, { recursive: true }))

let ctx: Context
beforeEach(async () => {
  ctx = new Context()
  await ctx.plugin(agents, {})
})
afterEach(() => ctx.fiber.dispose())

const create = (options: { id?: string } = {}) => ctx.agents.create({ cwd: directory, ...options })

/** A promise to be settled from outside. */
function createGate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

describe('creating an agent', () => {
  it('mints ids, starts the log and publishes the agent', async () => {
    const announced: Agent[] = []
    ctx.on('agent/created', (agent) => void announced.push(agent))
    const first = await create()
    const second = await create()
    expect(first.id).not.toBe(second.id)
    expect(first.session.id).not.toBe(second.session.id)
    expect(first.session.events).toMatchObject([{ seq: 1, type: 'session/started', data: { cwd: directory } }])
    expect(ctx.agents.list()).toEqual([first, second])
    expect(ctx.agents.get(first.id)).toBe(first)
    expect(announced).toEqual([first, second])
    expect(first.alive).toBe(true)
  })

  it('takes a requested id once', async () => {
    const agent = await create({ id: 'writer' })
    await expect(create({ id: 'writer' })).rejects.toMatchObject({ code: 'ID_TAKEN' })
    await agent.dispose()
    await expect(create({ id: 'writer' })).resolves.toMatchObject({ id: 'writer' })
  })

  it('reserves a requested id while the agent is being started', async () => {
    const [first, second] = await Promise.allSettled([create({ id: 'writer' }), create({ id: 'writer' })])
    expect(first.status).toBe('fulfilled')
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'ID_TAKEN' } })
  })

  it.each([[''], ['a\nb'], ['x'.repeat(129)]])('refuses the id %j', async (id) => {
    await expect(create({ id })).rejects.toMatchObject({ code: 'ID_INVALID' })
  })

  it.each([
    ['relative', () => 'some/where', 'is not an absolute path'],
    ['empty', () => '', 'is not an absolute path'],
    ['missing', () => join(directory, 'missing'), 'does not exist'],
    ['below a file', () => join(file, 'x'), 'does not exist'],
    ['a file', () => file, 'is not a directory'],
    ['with a NUL', () => '/tmp/\0', 'contains a NUL character'],
  ])('refuses a working directory that is %s and leaves nothing behind', async (_what, cwd, problem) => {
    await expect(ctx.agents.create({ id: 'same', cwd: cwd() })).rejects.toMatchObject({
      code: 'CWD_INVALID',
      message: expect.stringContaining(problem),
    })
    expect(ctx.agents.list()).toEqual([])
    await expect(create({ id: 'same' })).resolves.toBeDefined()
  })

  it('normalises the working directory', async () => {
    const agent = await ctx.agents.create({ cwd: `${directory}/../${directory.split('/').at(-1)}/` })
    expect(agent.cwd).toBe(directory)
  })

  it('is not disturbed by an observer that throws', async () => {
    ctx.on('agent/created', () => {
      throw new Error('observer')
    })
    const agent = await create()
    expect(ctx.agents.list()).toEqual([agent])
  })
})

describe('the identity of an agent', () => {
  it('survives events, context services and plugin contexts', async () => {
    class Keeper extends Service {
      readonly kept: Agent[] = []
      constructor(owner: Context) {
        super(owner, 'keeper')
      }
      keep(agent: Agent): Agent {
        this.kept.push(agent)
        return agent
      }
    }
    await ctx.plugin(Keeper)
    const seen: Agent[] = []
    ctx.on('agent/created', (agent) => void seen.push(agent))
    const agent = await create()

    let through: Agent | undefined
    let listed: Agent | undefined
    await ctx.plugin({
      name: 'consumer',
      inject: ['agents', 'keeper'],
      apply(inner: Context) {
        listed = inner.agents.get(agent.id)
        through = (inner.get('keeper') as Keeper).keep(agent)
      },
    })
    expect(through === agent && listed === agent && seen[0] === agent).toBe(true)
    expect((ctx.get('keeper') as Keeper).kept[0] === agent).toBe(true)
    expect(Object.isFrozen(agent)).toBe(true)
  })
})

describe('ending an agent', () => {
  it('turns alive off at once, awaits everything it owns and then seals the log', async () => {
    const agent = await create()
    const gate = createGate()
    const order: string[] = []
    agent.ctx.effect(() => async () => {
      order.push(`released while alive is ${agent.alive}`)
      await gate.opened
      agent.session.append('message/agent', { text: 'last words' })
      order.push('gone')
    })
    ctx.on('agent/disposed', () => void order.push('announced'))
    const ended = agent.dispose().then(() => order.push('disposed'))
    expect(agent.alive).toBe(false)
    gate.open()
    await ended
    expect(order).toEqual(['released while alive is false', 'gone', 'announced', 'disposed'])
    expect(ctx.agents.list()).toEqual([])
    expect(agent.session.events.at(-1)).toMatchObject({ data: { text: 'last words' } })
    expect(() => agent.session.append('message/user', { text: 'late' })).toThrow('has ended')
  })

  it('joins repeated calls and announces once', async () => {
    const agent = await create()
    let announced = 0
    ctx.on('agent/disposed', () => void announced++)
    await Promise.all([agent.dispose(), agent.dispose()])
    await agent.dispose()
    expect(announced).toBe(1)
  })

  it('reports the failures of owned parts together, after all of them are gone', async () => {
    const agent = await create()
    const failures = [new Error('terminal 1 has survivors'), new Error('job 2 hangs')]
    const gate = createGate()
    let isSlowPartGone = false
    for (const failure of failures) agent.ctx.effect(() => () => agent.recordFailure(failure))
    agent.ctx.effect(() => async () => {
      await gate.opened
      isSlowPartGone = true
    })
    const ended = agent.dispose()
    gate.open()
    const error = await ended.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'CLEANUP_FAILED', errors: expect.arrayContaining(failures) })
    expect((error as Error).message).toContain('terminal 1 has survivors')
    expect((error as Error).message).toContain('job 2 hangs')
    expect(isSlowPartGone).toBe(true)
    expect(ctx.agents.list()).toEqual([])
  })

  it('goes on past a release that throws', async () => {
    const agent = await create()
    let isOtherGone = false
    agent.ctx.effect(() => () => {
      throw new Error('careless')
    })
    agent.ctx.effect(() => () => {
      isOtherGone = true
    })
    await agent.dispose()
    expect(isOtherGone).toBe(true)
  })

  it('refuses to own anything more', async () => {
    const agent = await create()
    const ended = agent.dispose()
    expect(() => agent.ctx.effect(() => () => undefined)).toThrow('inactive')
    await ended
  })

  it('happens too when its scope is ended directly', async () => {
    const agent = await create()
    const announced = new Promise<Agent>((resolve) => ctx.on('agent/disposed', resolve))
    await agent.ctx.fiber.dispose()
    expect(await announced).toBe(agent)
    expect(agent.alive).toBe(false)
    expect(ctx.agents.list()).toEqual([])
  })

  it('leaves the others alone', async () => {
    const [one, other] = [await create(), await create()]
    await one.dispose()
    expect(other.alive).toBe(true)
    expect(ctx.agents.list()).toEqual([other])
  })
})

describe('ending the service', () => {
  it('refuses new agents, ends all live ones and awaits them', async () => {
    const inner = new Context()
    const fiber = inner.plugin(agents, {})
    await fiber
    const service = inner.agents
    const released: string[] = []
    for (const id of ['a', 'b']) {
      const agent = await service.create({ id, cwd: directory })
      agent.ctx.effect(() => async () => {
        await new Promise((resolve) => setImmediate(resolve))
        released.push(id)
      })
    }
    const ended = fiber.dispose()
    await expect(service.create({ cwd: directory })).rejects.toMatchObject({ code: 'DISPOSED' })
    await ended
    expect(released.sort()).toEqual(['a', 'b'])
    expect(service.list()).toEqual([])
  })

  it('lets an agent that is just being started end as well', async () => {
    const inner = new Context()
    const fiber = inner.plugin(agents, {})
    await fiber
    const service = inner.agents
    const starting = service.create({ cwd: directory })
    await fiber.dispose()
    await expect(starting).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(service.list()).toEqual([])
  })

  it('survives the plugin that asked for the agent', async () => {
    let agent: Agent | undefined
    const asker = ctx.plugin({
      name: 'asker',
      inject: ['agents'],
      async apply(inner: Context) {
        agent = await inner.agents.create({ cwd: directory })
      },
    })
    await asker
    await asker.dispose()
    expect(agent?.alive).toBe(true)
  })
})

it('refuses unknown configuration at load and names the field', async () => {
  const inner = new Context()
  const bad = { cwd: '/' } as unknown as agents.Config
  await expect(async () => {
    await inner.plugin(agents, bad)
  }).rejects.toThrow('cwd')
  await inner.fiber.dispose()
})
