/** The tools contract: definitions, the execution pipeline's promises, and the protocol-neutral presentation vocabulary. */
import type { Agent } from '@agent-terminals/agents/contract'
import type {} from '@deepseek-ai/cordis'
import type { z } from 'zod'

/** Content that reaches the model. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: unknown }

/** What a tool call came to. `structured` mirrors the text for callers that want data. */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly structured?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
  /** Present on errors: a code a program can branch on. */
  readonly code?: string
}

/** Where a call comes from and how it can be ended and watched. */
export interface ToolExecution {
  readonly agent: Agent
  readonly callId: string
  /** The arguments as they are logged and may be shown: see `concealArguments`. `undefined` when nothing may be. */
  readonly keptArgs: unknown
  /** Aborting cancels the call; its `reason` is what a cancelled call rejects with. */
  readonly signal: AbortSignal
  /** Report progress, in order. Ignored after the call has ended. */
  readonly progress: (progress: ToolProgress) => void
}

/** Output of a running call: raw terminal text for live cards. `text` may be any split of the stream; escapes are kept. */
export interface ToolProgress {
  readonly kind: 'output'
  readonly text: string
}

/**
 * How a call or its result wants to be shown. Plain data without protocol types; bridges turn it into their own cards.
 * Seed, "Six model-facing tools": terminal cards only for foreground sends, no locations anywhere.
 */
export type RenderIntent = TerminalCard | GenericCard

/** A command in a terminal. On a call it announces; on a result it carries output and the way it ended. */
export interface TerminalCard {
  readonly card: 'terminal'
  readonly title: string
  readonly cwd?: string
  /** On results: the output shown, when it was not streamed. */
  readonly output?: string
  /** On results: how it ended. Absent while still running. */
  readonly exit?: { readonly exitCode: number | null; readonly signal: string | null }
}

export interface GenericCard {
  readonly card: 'generic'
  readonly kind: 'execute' | 'read' | 'delete' | 'other'
  readonly title: string
  readonly text?: string
}

/** Whose result is finalised. */
export interface FinalizeCall {
  /** Validated arguments; `undefined` when the call never had valid ones. */
  readonly args: unknown
  readonly agent: Agent
}

/**
 * What a call can do to the world, for callers that ask a person first. Tells the worst that may happen; a tool that does not
 * say is to be taken as able to do everything.
 */
export interface ToolEffects {
  /** Nothing outside the tool's own bookkeeping changes. */
  readonly readOnly: boolean
  /** Something may be lost that was there before. */
  readonly destructive: boolean
  /** The same call again changes nothing more. */
  readonly idempotent: boolean
  /** May reach systems that nobody here knows, such as the network. */
  readonly openWorld: boolean
}

/** One model-facing tool. */
export interface ToolDefinition<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly description: string
  /** A zod object. Unknown top-level keys are refused; `execute` gets a deep-frozen copy. */
  readonly input: Input
  /** Shape of `structured`, when the tool gives it. */
  readonly output?: Output
  readonly effects?: ToolEffects
  execute(args: z.output<Input>, exec: ToolExecution): Promise<ToolResult>
  /**
   * Take out of the arguments what must not be kept, before the call is logged; cards are made from what is left. Asked again
   * when a hook rewrote them. `undefined` keeps all. One that rejects keeps nothing: neither the log nor a card has any argument.
   */
  concealArguments?(args: z.output<Input>, agent: Agent): Promise<z.output<Input> | undefined>
  presentCall?(args: z.output<Input>, agent: Agent): RenderIntent
  presentResult?(args: z.output<Input>, result: ToolResult): RenderIntent
  /**
   * Last step before a result leaves the pipeline, whatever produced it: execution, an error, a hook.
   * Must not change deliberately structured multi-block content. One that throws is replaced by a short fixed error.
   */
  finalizeContent?(result: ToolResult, call: FinalizeCall): ToolResult
}

/** A hook's way of ending a call before it runs. */
export type BeforeExecute =
  | { readonly action: 'continue'; readonly args?: unknown }
  | { readonly action: 'refuse'; readonly reason: string; readonly code?: string }
  | { readonly action: 'respond'; readonly result: ToolResult }
/** A hook's way of changing a result. */
export type AfterExecute =
  | { readonly action: 'keep' }
  | { readonly action: 'replace'; readonly result: ToolResult }
  | { readonly action: 'block'; readonly reason: string }

export interface ToolHooks {
  before?(call: {
    readonly tool: string
    readonly args: unknown
    readonly exec: ToolExecution
  }): BeforeExecute | Promise<BeforeExecute>
  after?(call: {
    readonly tool: string
    readonly args: unknown
    readonly result: ToolResult
    readonly exec: ToolExecution
  }): AfterExecute | Promise<AfterExecute>
}

/** A section of the system prompt that a plugin contributes while it is mounted. */
export interface Guidance {
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface ExecuteOptions {
  readonly agent: Agent
  readonly name: string
  readonly args: unknown
  readonly callId?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ToolProgress) => void
}

/** A finished call with what to show for it. */
export interface ExecutedCall {
  readonly callId: string
  readonly result: ToolResult
  readonly presentation: RenderIntent
}

/** `ctx.tools` */
export interface ToolsService {
  /**
   * Registered until the caller's scope ends.
   * @throws ToolError `NAME_INVALID` | `DUPLICATE_TOOL` | `SCHEMA_INVALID`.
   * @returns a release.
   */
  register<Input extends z.ZodType, Output extends z.ZodType>(definition: ToolDefinition<Input, Output>): () => void
  /**
   * Policies, asked in the order of registration. A hook that throws, or answers nonsense, counts as a refusal. `after`
   * hooks see what a tool or a short circuit produced, errors included, but no refusals and no invalid arguments.
   */
  hook(hooks: ToolHooks): () => void
  contribute(guidance: Guidance): () => void

  list(): readonly ToolDefinition[]
  get(name: string): ToolDefinition | undefined
  guidance(): readonly Guidance[]
  /** JSON Schema (draft 2020-12) of a tool's input, as the model sees it. */
  inputSchema(name: string): Record<string, unknown>
  outputSchema(name: string): Record<string, unknown> | undefined
  /** What to show for a call before it runs; a generic card when the tool has no say or the arguments are bad. */
  presentCall(name: string, args: unknown, agent: Agent): RenderIntent
  /**
   * Run one call through validation, hooks, execution, finalisation and logging.
   * Never rejects for what the tool or a hook did wrong: that becomes an error result. Rejects only with the caller's
   * own abort reason when `signal` is aborted (the log then records the call as cancelled). When the agent or the
   * service ends first, the result is an error `AGENT_ENDED` or `DISPOSED`. `callId` must be new within the session.
   */
  execute(options: ExecuteOptions): Promise<ExecutedCall>
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    tools: ToolsService
  }
  interface Events {
    /** A tool, a hook or a guidance section came or went. */
    'tools/changed'(): void
  }
}

declare module '@agent-terminals/agents/contract' {
  interface SessionEventMap {
    'tool/call': {
      readonly callId: string
      readonly tool: string
      readonly args: unknown
      readonly presentation: RenderIntent
    }
    /** Merged and bounded: see `progressIntervalMs` and `progressLogBytes`. The last one of a call tells what was left out. */
    'tool/progress': {
      readonly callId: string
      readonly progress: ToolProgress
      readonly omittedBytes?: number
    }
    'tool/result': {
      readonly callId: string
      readonly tool: string
      readonly result: ToolResult
      readonly presentation: RenderIntent
      readonly durationMs: number
      readonly outcome: 'completed' | 'failed' | 'refused' | 'cancelled'
      /** What the tool ran with, when a hook rewrote the arguments of the call. */
      readonly executedArgs?: unknown
    }
  }
}
