/** Policies around an execution. A check that fails itself counts as a no. */
import type { ToolExecution, ToolHooks, ToolResult } from '../contract.js'
import { type ToolSchemas, validateArguments } from '../validation.js'
import { type CallAbort, CallAborted, runStage, type StageLimits } from './abort.js'
import { copyResult, createErrorResult, toErrorResult } from './result.js'

export interface HookedCall {
  readonly tool: string
  readonly schemas: ToolSchemas
  readonly exec: ToolExecution
  readonly hooks: readonly ToolHooks[]
  readonly abort: CallAbort
  readonly limits: StageLimits
}

export type BeforeVerdict =
  | { readonly kind: 'execute'; readonly args: unknown; readonly rewritten: boolean }
  | { readonly kind: 'respond'; readonly args: unknown; readonly rewritten: boolean; readonly result: ToolResult }
  | { readonly kind: 'refuse'; readonly args: unknown; readonly rewritten: boolean; readonly result: ToolResult }

/** Ask every hook in order; each sees the arguments as the one before left them. The first that ends the call wins. */
export async function askBefore(call: HookedCall, validArgs: unknown): Promise<BeforeVerdict> {
  let args = validArgs
  let rewritten = false
  const refuse = (result: ToolResult): BeforeVerdict => ({ kind: 'refuse', args, rewritten, result })
  for (const { before } of call.hooks) {
    if (!before) continue
    const answer = await ask(call, () => before({ tool: call.tool, args, exec: call.exec }))
    if ('failure' in answer) return refuse(answer.failure)
    const verdict = answer.value
    switch (verdict?.action) {
      case 'continue': {
        if (verdict.args === undefined) break
        const validation = await validateArguments(call.schemas, verdict.args)
        if (!validation.ok) {
          const message = `A policy rewrote the arguments of ${call.tool} to ones it does not take; nothing was done.`
          return refuse(createErrorResult('INVALID_ARGUMENTS', `${message}\n${validation.problems}`))
        }
        args = validation.args
        rewritten = true
        break
      }
      case 'refuse':
        return refuse(createErrorResult(verdict.code ?? 'REFUSED', verdict.reason))
      case 'respond': {
        const result = copyResult(verdict.result)
        return result ? { kind: 'respond', args, rewritten, result } : refuse(malformed(call.tool, 'before'))
      }
      default:
        return refuse(malformed(call.tool, 'before'))
    }
  }
  return { kind: 'execute', args, rewritten }
}

export interface AfterVerdict {
  readonly result: ToolResult
  readonly blocked: boolean
}

/** Ask every hook in order; each sees the result as the one before left it. A block ends the asking. */
export async function askAfter(call: HookedCall, args: unknown, produced: ToolResult): Promise<AfterVerdict> {
  let result = produced
  for (const { after } of call.hooks) {
    if (!after) continue
    const answer = await ask(call, () => after({ tool: call.tool, args, result, exec: call.exec }))
    if ('failure' in answer) return { result: answer.failure, blocked: true }
    const verdict = answer.value
    switch (verdict?.action) {
      case 'keep':
        break
      case 'replace': {
        const replacement = copyResult(verdict.result)
        if (!replacement) return { result: malformed(call.tool, 'after'), blocked: true }
        result = replacement
        break
      }
      case 'block':
        return { result: createErrorResult('BLOCKED', verdict.reason), blocked: true }
      default:
        return { result: malformed(call.tool, 'after'), blocked: true }
    }
  }
  return { result, blocked: false }
}

type Answer<T> = { readonly value: T | undefined } | { readonly failure: ToolResult }

async function ask<T>(call: HookedCall, question: () => T | Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await runStage(call.abort, call.limits, question) }
  } catch (error) {
    if (error instanceof CallAborted) throw error
    const { code } = toErrorResult(error, 'HOOK_FAILED')
    const reason = error instanceof Error ? error.message : String(error)
    return { failure: createErrorResult(code ?? 'HOOK_FAILED', `A policy check of ${call.tool} failed: ${reason}`) }
  }
}

function malformed(tool: string, stage: 'before' | 'after'): ToolResult {
  return createErrorResult('HOOK_FAILED', `A policy check ${stage} ${tool} gave an answer that is none.`)
}
