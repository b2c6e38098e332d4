import { randomUUID } from 'node:crypto'
import type { Agent } from '@agent-terminals/agents/contract'
import { type Context, Service } from '@deepseek-ai/cordis'
import type { z } from 'zod'
import type {
  ExecutedCall,
  ExecuteOptions,
  Guidance,
  RenderIntent,
  ToolDefinition,
  ToolHooks,
  ToolsService,
} from './contract.js'
import { CallEndedError, ToolError } from './errors.js'
import { CallAbort } from './pipeline/abort.js'
import { type PipelineLimits, runCall } from './pipeline/call.js'
import { createErrorResult } from './pipeline/result.js'
import { presentCall, presentPlainResult, presentUnknownCall } from './presentation.js'
import { type RegisteredTool, ToolRegistry } from './registry.js'
import { validateArgumentsNow } from './validation.js'

interface RunningCall {
  readonly abort: CallAbort
  readonly ended: Promise<void>
}

/** `ctx.tools`. A Cordis service, so that what a plugin registers goes with the plugin's own scope. */
export class Tools extends Service implements ToolsService {
  private readonly registry = new ToolRegistry()
  private readonly running = new Set<RunningCall>()
  /** The service's own scope: `this.ctx` is the caller's. */
  private readonly scope: Context
  private readonly lifecycle = { isClosing: false }

  constructor(
    ctx: Context,
    private readonly limits: PipelineLimits,
  ) {
    super(ctx, 'tools')
    this.scope = ctx
  }

  register<Input extends z.ZodType, Output extends z.ZodType>(definition: ToolDefinition<Input, Output>): () => void {
    return this.hold(`tools.register(${definition.name})`, () => this.registry.addTool(definition))
  }

  hook(hooks: ToolHooks): () => void {
    return this.hold('tools.hook', () => this.registry.addHooks(hooks))
  }

  contribute(guidance: Guidance): () => void {
    return this.hold(`tools.contribute(${guidance.id})`, () => this.registry.addGuidance(guidance))
  }

  list(): readonly ToolDefinition[] {
    return this.registry.listTools()
  }

  get(name: string): ToolDefinition | undefined {
    return this.registry.find(name)?.definition
  }

  guidance(): readonly Guidance[] {
    return this.registry.listGuidance()
  }

  inputSchema(name: string): Record<string, unknown> {
    return structuredClone(this.demand(name).schemas.input)
  }

  outputSchema(name: string): Record<string, unknown> | undefined {
    return structuredClone(this.demand(name).schemas.output)
  }

  presentCall(name: string, args: unknown, agent: Agent): RenderIntent {
    const tool = this.registry.find(name)
    if (!tool) return presentUnknownCall(name)
    try {
      const validation = validateArgumentsNow(tool.schemas, args)
      if (validation.ok) return presentCall(tool.definition, validation.args, agent)
    } catch {
      // A schema with asynchronous checks cannot be asked here; the generic card is the answer.
    }
    return presentUnknownCall(name)
  }

  async execute(options: ExecuteOptions): Promise<ExecutedCall> {
    const callId = options.callId ?? `call-${randomUUID()}`
    const abort = new CallAbort(options.signal)
    let markEnded: () => void = () => undefined
    const call: RunningCall = {
      abort,
      ended: new Promise<void>((resolve) => {
        markEnded = resolve
      }),
    }
    const leaveAgent = this.joinAgent(options.agent, call)
    if (!leaveAgent) {
      abort.release()
      options.signal?.throwIfAborted()
      const result = createErrorResult('AGENT_ENDED', `${options.name} did not run: the agent has ended.`)
      return Object.freeze({ callId, result, presentation: presentPlainResult(options.name, result) })
    }
    this.running.add(call)
    if (this.lifecycle.isClosing) abort.abort('service', new CallEndedError('DISPOSED'))
    try {
      return await runCall({
        options,
        callId,
        abort,
        tool: this.registry.find(options.name),
        hooks: this.registry.listHooks(),
        knownTools: this.registry.listNames(),
        limits: this.limits,
        now: () => performance.now(),
        warn: (message, error) => this.warn(message, error),
      })
    } finally {
      abort.release()
      this.running.delete(call)
      markEnded()
      leaveAgent()
    }
  }

  /** Cancel what runs and await it. */
  async close(): Promise<void> {
    this.lifecycle.isClosing = true
    const calls = [...this.running]
    for (const { abort } of calls) abort.abort('service', new CallEndedError('DISPOSED'))
    await Promise.all(calls.map(({ ended }) => ended))
  }

  /** Tie a call to its agent: the agent's end cancels the call and waits for it. */
  private joinAgent(agent: Agent, { abort, ended }: RunningCall): (() => void) | undefined {
    if (!agent.alive) return undefined
    const end = () => {
      abort.abort('agent', new CallEndedError('AGENT_ENDED'))
      return ended
    }
    try {
      const leave = agent.ctx.effect(() => end, 'tool call')
      return () => void leave()
    } catch {
      // A scope that takes nothing more is ending, whatever the agent says about itself.
      return undefined
    }
  }

  /** Keep an entry until the calling plugin's scope ends, and tell of both changes. */
  private hold(label: string, add: () => () => void): () => void {
    const changed = () => this.announceChange()
    const release = this.ctx.effect(() => {
      const remove = add()
      changed()
      return () => {
        remove()
        changed()
      }
    }, label)
    return () => void release()
  }

  private warn(message: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    this.scope.logger.warn(error === undefined ? message : `${message}: ${reason}`)
  }

  private announceChange(): void {
    try {
      this.scope.emit('tools/changed')
    } catch (error) {
      this.scope.logger.error(error)
    }
  }

  private demand(name: string): RegisteredTool {
    const tool = this.registry.find(name)
    if (!tool) throw new ToolError('UNKNOWN_TOOL', `There is no tool ${name}.`)
    return tool
  }
}
