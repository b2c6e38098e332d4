/** The other five services, as little as the family needs of each. */
import type { Agent, AgentsService } from '@agent-terminals/agents/contract'
import type { JobHandle, JobSettlement, JobSpec, JobsService } from '@agent-terminals/jobs/contract'
import type {
  ConfinedCommand,
  SandboxMode,
  SandboxPolicy,
  SandboxPolicyService,
  SandboxService,
  SandboxSubject,
} from '@agent-terminals/sandbox/contract'
import type { ToolDefinition, ToolExecution, ToolResult, ToolsService } from '@agent-terminals/tools/contract'
import type { Context } from '@deepseek-ai/cordis'

/** Lets a test see what is asked of an object; a host has no use for it. */
export type Watch = <Each extends object>(each: Each) => Each
const unwatched: Watch = (each) => each

export type NeededConfinement = Pick<ConfinedCommand, 'argv' | 'env' | 'runner' | 'access' | 'release'>
export type NeededJobHandle = Pick<JobHandle, 'output' | 'activity'>
export type NeededAgent = Pick<Agent, 'id' | 'ctx' | 'cwd' | 'session' | 'recordFailure'>
export type NeededExecution = Pick<ToolExecution, 'agent' | 'signal' | 'progress' | 'callId' | 'keptArgs'>

/** Agents with a scope of their own. Only the host itself calls this: the family sees the agents, not the service. */
export function createAgents(ctx: Context, watch: Watch = unwatched) {
  const failures: unknown[] = []
  let count = 0
  const needed: Pick<AgentsService, 'create'> = {
    async create({ cwd }) {
      const id = `foreign-${++count}`
      const fiber = await ctx.plugin({ name: id, apply: () => {} })
      const agent: NeededAgent = {
        id,
        ctx: fiber.ctx,
        cwd,
        session: { id } as Agent['session'],
        recordFailure: (error) => void failures.push(error),
      }
      return watch(agent) as Agent
    },
  }
  return { needed, failures, end: async (agent: Agent) => void (await agent.ctx.fiber.dispose()) }
}

/** A mode per session, and a fence around changing it. */
export function createSandboxPolicy(watch: Watch = unwatched) {
  const modes = new Map<SandboxSubject['session'], SandboxMode>()
  const checks = new Set<Parameters<SandboxPolicyService['fence']>[0]>()
  const needed: Pick<SandboxPolicyService, 'resolve' | 'fence'> = {
    resolve: ({ session }) => watch({ mode: modes.get(session) ?? 'danger-full-access' }) as SandboxPolicy,
    fence(check) {
      checks.add(check)
      return () => checks.delete(check)
    },
  }
  /** The host's own way of changing a mode. */
  const setMode = (session: Agent['session'], mode: SandboxMode) => {
    for (const check of checks) {
      const refusal = check(session)
      if (refusal !== undefined) throw new Error(refusal)
    }
    modes.set(session, mode)
  }
  return { needed, setMode }
}

/** A stand-in for confinement: it marks the environment, so that a test sees whether it was used. */
export function createSandbox(watch: Watch = unwatched) {
  const released: string[] = []
  const needed: Pick<SandboxService, 'confine'> = {
    async confine(argv, { mode }) {
      const command: NeededConfinement = {
        argv: ['/usr/bin/env', ...argv],
        env: { CONFINED: mode },
        runner: 'foreign',
        access: { writable: [], network: 'allow' },
        release: async () => void released.push(mode),
      }
      return watch(command) as ConfinedCommand
    },
  }
  return { needed, released }
}

/** One job at a time is enough to see one end. */
export function createJobs(watch: Watch = unwatched) {
  const settlements: Promise<JobSettlement>[] = []
  const needed: Pick<JobsService, 'start'> = {
    start(spec: JobSpec) {
      const id = `${spec.kind}-${settlements.length + 1}`
      const handle: NeededJobHandle = { output: () => {}, activity: () => {} }
      const control = spec.start(watch(handle) as JobHandle)
      settlements.push(control.done)
      return {
        id,
        kind: spec.kind,
        title: spec.title,
        status: 'running',
        activity: undefined,
        startedAt: Date.now(),
        endedAt: undefined,
        outputLimitBytes: spec.outputLimitBytes,
      }
    },
  }
  return { needed, settlements }
}

/** A registry, and the least a pipeline must do: parse, execute, finalise. */
export function createTools(watch: Watch = unwatched) {
  const definitions = new Map<string, ToolDefinition>()
  const needed: Pick<ToolsService, 'register' | 'contribute'> = {
    register(definition) {
      definitions.set(definition.name, definition as unknown as ToolDefinition)
      return () => definitions.delete(definition.name)
    },
    contribute: () => () => {},
  }
  let count = 0
  const call = async (agent: Agent, name: string, given: unknown, signal?: AbortSignal): Promise<ToolResult> => {
    const definition = definitions.get(name)
    if (!definition) throw new Error(`there is no tool ${name}`)
    const args = definition.input.parse(given)
    const exec: NeededExecution = {
      agent,
      callId: `call-${++count}`,
      signal: signal ?? new AbortController().signal,
      progress: () => {},
      keptArgs: args,
    }
    const result = await definition.execute(args, watch(exec))
    return definition.finalizeContent?.(result, { args, agent }) ?? result
  }
  return { needed, call, names: () => [...definitions.keys()] }
}
