/** A context with real agents, tools and jobs, and work that ends when a test says so. */
import { tmpdir } from 'node:os'
import * as agents from '@agent-terminals/agents'
import type { Agent, SessionEvent, SessionEventMap, SessionEventType } from '@agent-terminals/agents/contract'
import * as tools from '@agent-terminals/tools'
import type { ToolResult } from '@agent-terminals/tools/contract'
import { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach } from 'vitest'
import type { JobHandle, JobSettlement, JobSpec, JobSummary, JobsService } from '../src/contract.js'
import * as jobs from '../src/index.js'

/** One job's work: records what it is asked, ends when it is told. */
export interface ScriptedWork {
  readonly handle: JobHandle
  readonly kills: number
  end(status: JobSettlement['status'], text?: string): Promise<void>
  fail(error: unknown): Promise<void>
}

export interface Harness {
  readonly ctx: Context
  readonly agent: Agent
  readonly jobs: JobsService
  startWork(changes?: Partial<JobSpec> & { readonly onKill?: (work: ScriptedWork) => void | Promise<void> }): {
    readonly work: ScriptedWork
    readonly job: JobSummary
  }
  createAgent(): Promise<Agent>
  events<Type extends SessionEventType>(type: Type, agent?: Agent): SessionEventMap[Type][]
  run(name: string, args: unknown, agent?: Agent): Promise<ToolResult>
}

export function useJobs(config: Partial<jobs.Config> = {}): Harness {
  const current: { ctx?: Context; agent?: Agent } = {}
  beforeEach(async () => {
    const ctx = new Context()
    await ctx.plugin(agents, {})
    await ctx.plugin(tools, {} as tools.Config)
    await ctx.plugin(jobs, config as jobs.Config)
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
    get jobs() {
      return demand(current.ctx).jobs
    },
    startWork: (changes = {}) => startWork(demand(current.ctx).jobs, demand(current.agent), changes),
    createAgent: () => demand(current.ctx).agents.create({ cwd: tmpdir() }),
    events: (type, agent) => eventsOf((agent ?? demand(current.agent)).session.events, type),
    run: async (name, args, agent) =>
      (await demand(current.ctx).tools.execute({ agent: agent ?? demand(current.agent), name, args })).result,
  }
}

export function startWork(
  service: JobsService,
  owner: Agent,
  changes: Partial<JobSpec> & { readonly onKill?: (work: ScriptedWork) => void | Promise<void> } = {},
): { work: ScriptedWork; job: JobSummary } {
  const { onKill = (work: ScriptedWork) => void work.end('killed'), ...spec } = changes
  let settle: (settlement: JobSettlement) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const done = new Promise<JobSettlement>((resolve, fail) => {
    settle = resolve
    reject = fail
  })
  let kills = 0
  let created: ScriptedWork | undefined
  const job = service.start({
    kind: 'test',
    title: 'npm test',
    owner,
    outputLimitBytes: 4096,
    start(handle) {
      const work: ScriptedWork = {
        handle,
        get kills() {
          return kills
        },
        async end(status, text = '') {
          settle({ status, text })
          await flush()
        },
        async fail(error) {
          reject(error)
          await flush()
        },
      }
      created = work
      return {
        done,
        async kill() {
          kills++
          await onKill(work)
        },
      }
    },
    ...spec,
  })
  if (!created) throw new Error('the work was not started')
  return { work: created, job }
}

/** Let everything that is already decided happen. */
export const flush = () => new Promise<void>((resolve) => setImmediate(resolve))

export function eventsOf<Type extends SessionEventType>(
  events: readonly SessionEvent[],
  type: Type,
): SessionEventMap[Type][] {
  return events.filter((event): event is SessionEvent<Type> => event.type === type).map(({ data }) => data)
}

/** The whole text of a result. */
export const textOf = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block.value))).join('\n')
