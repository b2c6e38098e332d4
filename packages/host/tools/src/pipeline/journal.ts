/** What one call leaves in the session log. A log that refuses is an answer, never an exception. */
import type { SessionEventMap } from '@agent-terminals/agents/contract'
import type { ExecuteOptions, RenderIntent, ToolProgress, ToolResult } from '../contract.js'
import { describeAsJson } from '../core/json.js'

export type Recorded = { readonly ok: true } | { readonly ok: false; readonly error: unknown }

export interface CallJournal {
  /** @param args - as they may be kept. */
  recordCall(args: unknown, presentation: RenderIntent): Recorded
  recordProgress(progress: ToolProgress, omittedBytes?: number): Recorded
  recordResult(entry: ResultEntry): Recorded
}

export interface ResultEntry {
  readonly result: ToolResult
  readonly presentation: RenderIntent
  readonly durationMs: number
  readonly outcome: SessionEventMap['tool/result']['outcome']
  /** The arguments the tool ran with, as they may be kept, when a hook rewrote the ones that came. */
  readonly executedArgs?: unknown
}

export function createJournal(options: ExecuteOptions, callId: string): CallJournal {
  const { session } = options.agent
  const attempt = (append: () => unknown): Recorded => {
    try {
      append()
      return { ok: true }
    } catch (error) {
      return { ok: false, error }
    }
  }
  const tool = options.name
  return {
    recordCall: (args, presentation) =>
      attempt(() => session.append('tool/call', { callId, tool, args: describeAsJson(args), presentation })),
    recordProgress: (progress, omittedBytes) =>
      attempt(() =>
        session.append('tool/progress', { callId, progress, ...(omittedBytes === undefined ? {} : { omittedBytes }) }),
      ),
    recordResult: ({ executedArgs, ...entry }) =>
      attempt(() =>
        session.append('tool/result', {
          callId,
          tool,
          ...entry,
          ...(executedArgs === undefined ? {} : { executedArgs: describeAsJson(executedArgs) }),
        }),
      ),
  }
}
