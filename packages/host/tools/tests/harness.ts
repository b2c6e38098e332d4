/** A context with real agents and tools, and small means to steer what runs in it. */
import { tmpdir } from 'node:os'
import * as agents from '@agent-terminals/agents'
import type { Agent, SessionEvent, SessionEventMap, SessionEventType } from '@agent-terminals/agents/contract'
import { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach } from 'vitest'
import { z } from 'zod'
import type { ToolDefinition, ToolResult } from '../src/contract.js'
import * as tools from '../src/index.js'

export interface Harness {
  readonly ctx: Context
  readonly agent: Agent
  /** Events of one type, in order. */
  events<Type extends SessionEventType>(type: Type): SessionEventMap[Type][]
  /** Run one call and give its result alone. */
  run(name: string, args: unknown): Promise<ToolResult>
}

/** A fresh context and agent for every test of the suite. */
export function useTools(config: Partial<tools.Config> = {}): Harness {
  const current: { ctx?: Context; agent?: Agent } = {}
  beforeEach(async () => {
    const ctx = new Context()
    await ctx.plugin(agents, {})
    await ctx.plugin(tools, config as tools.Config)
    current.ctx = ctx
    current.agent = await ctx.agents.create({ cwd: tmpdir() })
  })
  afterEach(() => current.ctx?.fiber.dispose())
  const demand = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the harness is usable within tests only')
    return value
  }
  return {
    get ctx() {
      return demand(current.ctx)
    },
    get agent() {
      return demand(current.agent)
    },
    events: (type) => eventsOf(demand(current.agent).session.events, type),
    run: async (name, args) =>
      (await demand(current.ctx).tools.execute({ agent: demand(current.agent), name, args })).result,
  }
}

export function eventsOf<Type extends SessionEventType>(
  events: readonly SessionEvent[],
  type: Type,
): SessionEventMap[Type][] {
  return events.filter((event): event is SessionEvent<Type> => event.type === type).map(({ data }) => data)
}

export const text = (value: string): ToolResult => ({ content: [{ type: 'text', text: value }] })

/** The whole text of a result. */
export const textOf = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block.value))).join('\n')

/** A tool that returns its argument, with whatever a test wants to be different. */
export function echoTool(changes: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: 'echo',
    description: 'Returns the text.',
    input: z.object({ text: z.string(), times: z.int().min(1).max(10).optional() }),
    execute: async (args) => text((args as { text: string }).text),
    ...changes,
  }
}

/** A promise settled from outside. */
export function createGate<T = void>(): {
  readonly promise: Promise<T>
  readonly open: (value: T) => void
  readonly fail: (error: unknown) => void
} {
  let open: (value: T) => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  // A gate nobody waits at may fail all the same.
  promise.catch(() => undefined)
  return { promise, open: (value) => open(value), fail: (error) => fail(error) }
}

/** Do something on the way to a value. */
export function doing<T>(act: () => unknown, value: T): T {
  act()
  return value
}
