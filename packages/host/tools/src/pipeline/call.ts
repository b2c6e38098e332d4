/** One call from arguments to a logged result: validate, before hooks, execute, after hooks, finalise, log. */
import type { ExecutedCall, ExecuteOptions, RenderIntent, ToolExecution, ToolHooks, ToolResult } from '../contract.js'
import { presentCall, presentPlainResult, presentResult, presentUnknownCall } from '../presentation.js'
import type { RegisteredTool } from '../registry.js'
import { findShapeProblem, type Validation, validateArguments } from '../validation.js'
import { type CallAbort, CallAborted, runStage, type StageLimits } from './abort.js'
import { concealArguments, type KeptArguments, WITHHELD } from './conceal.js'
import { finalizeResult } from './finalize.js'
import { askAfter, askBefore, type HookedCall } from './hooks.js'
import { type CallJournal, createJournal, type ResultEntry } from './journal.js'
import { createProgressReporter } from './progress.js'
import { copyResult, createErrorResult, toErrorResult } from './result.js'

export interface PipelineLimits {
  readonly abortGraceMs: number
  readonly progressIntervalMs: number
  readonly progressLogBytes: number
}

export interface PipelineCall {
  readonly options: ExecuteOptions
  readonly callId: string
  readonly abort: CallAbort
  /** The tool as it was registered when the call came. */
  readonly tool: RegisteredTool | undefined
  readonly hooks: readonly ToolHooks[]
  readonly knownTools: readonly string[]
  readonly limits: PipelineLimits
  /** Milliseconds of a clock that only moves forward. */
  readonly now: () => number
  /** Told about what neither the model nor the caller hears. */
  readonly warn: (message: string, error?: unknown) => void
}

/** What a call came to before finalisation, with the arguments the tool saw. */
interface Produced {
  readonly result: ToolResult
  readonly outcome: ResultEntry['outcome']
  readonly args?: unknown
  /** The same as they may be shown; absent when there are none, or none may be shown. */
  readonly kept?: KeptArguments
  readonly rewritten?: boolean
}

/** Rejects only with the caller's own abort reason. */
export async function runCall(call: PipelineCall): Promise<ExecutedCall> {
  const startedAt = call.now()
  const journal = createJournal(call.options, call.callId)
  const validation = await checkArguments(call)
  const kept = await keepIncoming(call, validation)
  const recorded = journal.recordCall(toLogged(kept), presentIncoming(call, validation, kept))
  const progress = createProgressReporter({
    listener: call.options.onProgress,
    record: (piece, omittedBytes) => warnIfRefused(call, journal.recordProgress(piece, omittedBytes)),
    intervalMs: call.limits.progressIntervalMs,
    maxBytes: call.limits.progressLogBytes,
    onListenerError: (error) => call.warn(`the progress listener of ${call.options.name} failed`, error),
  })

  let produced: Produced
  try {
    if (!recorded.ok) produced = { result: toErrorResult(recorded.error, 'REFUSED'), outcome: 'refused' }
    else produced = await produce(call, validation, kept, progress.report)
  } catch (error) {
    if (!(error instanceof CallAborted)) throw error
    produced = describeAbort(call, { args: validation.ok ? validation.args : undefined, kept })
  }
  progress.end()
  return conclude(call, journal, produced, startedAt)
}

async function checkArguments({ tool, options, knownTools }: PipelineCall): Promise<Validation> {
  if (tool) return validateArguments(tool.schemas, options.args)
  return {
    ok: false,
    problems: knownTools.length > 0 ? `The tools are ${knownTools.join(', ')}.` : 'There are no tools.',
  }
}

/** Arguments that no tool takes are kept as they came: nothing will be done with them. */
async function keepIncoming(call: PipelineCall, validation: Validation): Promise<KeptArguments> {
  const { tool, options } = call
  return tool && validation.ok ? keep(call, tool, validation.args) : { kind: 'kept', args: options.args }
}

function keep(call: PipelineCall, tool: RegisteredTool, args: unknown): Promise<KeptArguments> {
  const { agent, name } = call.options
  return concealArguments(tool, args, agent, (error) =>
    call.warn(`${name} could not say which arguments may be kept; none are`, error),
  )
}

const toLogged = (kept: KeptArguments) => (kept.kind === 'kept' ? kept.args : WITHHELD)
const toShown = (kept: KeptArguments) => (kept.kind === 'kept' ? kept.args : undefined)

function presentIncoming({ tool, options }: PipelineCall, validation: Validation, kept: KeptArguments): RenderIntent {
  if (!tool || !validation.ok || kept.kind === 'withheld') return presentUnknownCall(options.name)
  return presentCall(tool.definition, kept.args, options.agent)
}

async function produce(
  call: PipelineCall,
  validation: Validation,
  incoming: KeptArguments,
  report: ToolExecution['progress'],
): Promise<Produced> {
  const { tool, options, abort } = call
  abort.throwIfAborted()
  if (!tool) {
    return failed(createErrorResult('UNKNOWN_TOOL', `There is no tool ${options.name}. ${describe(validation)}`))
  }
  if (!validation.ok) {
    const message = `The arguments of ${options.name} are not valid; nothing was done.\n${validation.problems}`
    return failed(createErrorResult('INVALID_ARGUMENTS', message))
  }
  const exec: ToolExecution = Object.freeze({
    agent: options.agent,
    callId: call.callId,
    keptArgs: toShown(incoming),
    signal: abort.signal,
    progress: report,
  })
  const hooked: HookedCall = {
    tool: options.name,
    schemas: tool.schemas,
    exec,
    hooks: call.hooks,
    abort,
    limits: limitsOf(call, 'A policy check'),
  }
  const verdict = await askBefore(hooked, validation.args)
  const { args, rewritten } = verdict
  const kept = rewritten ? await keep(call, tool, args) : incoming
  if (verdict.kind === 'refuse') return { result: verdict.result, outcome: 'refused', args, kept, rewritten }
  const finalExec = rewritten ? Object.freeze({ ...exec, keptArgs: toShown(kept) }) : exec
  const result = verdict.kind === 'respond' ? verdict.result : await execute(call, tool, args, finalExec)
  const after = await askAfter(hooked, args, result)
  const outcome = after.blocked ? 'refused' : after.result.isError ? 'failed' : 'completed'
  return { result: after.result, outcome, args, kept, rewritten }
}

const failed = (result: ToolResult): Produced => ({ result, outcome: 'failed' })
const describe = (validation: Validation) => (validation.ok ? '' : validation.problems)

async function execute(
  call: PipelineCall,
  { definition }: RegisteredTool,
  args: unknown,
  exec: ToolExecution,
): Promise<ToolResult> {
  let value: unknown
  try {
    value = await runStage(call.abort, limitsOf(call, `Tool ${definition.name}`), () => definition.execute(args, exec))
  } catch (error) {
    if (error instanceof CallAborted) throw error
    return toErrorResult(error, 'TOOL_FAILED')
  }
  const result = copyResult(value)
  if (!result) return createErrorResult('INVALID_RESULT', `${definition.name} ran, but what it returned is no result.`)
  if (!result.structured || result.isError || !definition.output) return result
  const problem = await findShapeProblem(definition.output, result.structured)
  if (problem === undefined) return result
  const message = `${definition.name} ran, but its structured result does not have the declared shape.`
  call.warn(`${message} ${problem}`)
  return createErrorResult('INVALID_RESULT', message)
}

function limitsOf(call: PipelineCall, who: string): StageLimits {
  const { abortGraceMs } = call.limits
  return {
    abortGraceMs,
    onAbandoned: () =>
      call.warn(
        `${who} did not stop within ${abortGraceMs} ms after call ${call.callId} was cancelled; it is left alone.`,
      ),
  }
}

/** The result of a call that was ended from outside: for the log, and for callers that did not end it themselves. */
function describeAbort({ abort, options }: PipelineCall, { args, kept }: Pick<Produced, 'args' | 'kept'>): Produced {
  const { reason } = abort.signal
  const code = abort.origin === 'agent' ? 'AGENT_ENDED' : abort.origin === 'service' ? 'DISPOSED' : 'CANCELLED'
  const words = reason instanceof Error ? reason.message : typeof reason === 'string' ? reason : 'no reason given'
  return {
    result: createErrorResult(code, `${options.name} was cancelled: ${words}`),
    outcome: 'cancelled',
    args,
    ...(kept ? { kept } : {}),
  }
}

function conclude(call: PipelineCall, journal: CallJournal, produced: Produced, startedAt: number): ExecutedCall {
  let outcome = call.abort.origin && produced.outcome !== 'cancelled' ? describeAbort(call, produced) : produced
  let result = finalize(call, outcome)
  // The finalisation is the tool's code too: it may have been the moment of the abort.
  if (call.abort.origin && outcome.outcome !== 'cancelled') {
    outcome = describeAbort(call, outcome)
    result = finalize(call, outcome)
  }
  const record = (final: ToolResult) => {
    const entry = toEntry(call, outcome, final, call.now() - startedAt)
    return { entry, recorded: journal.recordResult(entry) }
  }
  let { entry, recorded } = record(result)
  if (!recorded.ok) {
    call.warn(`the result of call ${call.callId} could not be logged`, recorded.error)
    if (outcome.outcome !== 'cancelled') {
      outcome = { ...outcome, ...failed(createErrorResult('LOG_REFUSED', 'The session log refused the result.')) }
      ;({ entry, recorded } = record(finalize(call, outcome)))
    }
  }
  if (outcome.outcome === 'cancelled' && call.abort.origin === 'caller') throw call.abort.signal.reason
  return Object.freeze({ callId: call.callId, result: entry.result, presentation: entry.presentation })
}

function finalize({ tool, options }: PipelineCall, { result, args }: Produced): ToolResult {
  return finalizeResult(tool?.definition, result, { args, agent: options.agent })
}

function toEntry(
  { tool, options }: PipelineCall,
  produced: Produced,
  result: ToolResult,
  elapsedMs: number,
): ResultEntry {
  const { outcome, args, kept, rewritten } = produced
  const presentation =
    tool && args !== undefined && kept?.kind === 'kept'
      ? presentResult(tool.definition, kept.args, result)
      : presentPlainResult(options.name, result)
  const executedArgs = rewritten && kept ? { executedArgs: toLogged(kept) } : {}
  return { result, presentation, durationMs: Math.max(0, Math.round(elapsedMs)), outcome, ...executedArgs }
}

function warnIfRefused(call: PipelineCall, recorded: ReturnType<CallJournal['recordProgress']>): void {
  if (!recorded.ok) call.warn(`progress of call ${call.callId} could not be logged`, recorded.error)
}
