/** Plugin: `ctx.tools`, the registry of model-facing tools and the pipeline every call goes through. */
import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.js'
import { Tools } from './service.js'

export { Config } from './config.js'
export type * from './contract.js'
export { CallEndedError, RESULT_CODES, type ResultCode, TOOL_ERRORS, ToolError, type ToolErrorCode } from './errors.js'
export { type NoticeReaders, rebuildTranscript, type TranscriptEntry } from './transcript.js'

export const name = 'tools'

export function apply(ctx: Context, config: Config): void {
  const tools = new Tools(ctx, config)
  ctx.effect(() => () => tools.close(), 'tools calls')
}
