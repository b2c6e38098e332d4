/** Plugin: `ctx.jobs`, background operations, and the tools `job_output`, `job_kill` and `job_list` where `ctx.tools` is. */

import type {} from '@agent-terminals/tools/contract'
import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.js'
import { createJobs } from './service.js'
import { defineJobKill } from './tools/kill.js'
import { defineJobList } from './tools/list.js'
import { defineJobOutput } from './tools/output.js'

export { Config } from './config.js'
export type * from './contract.js'
export { JOB_ERRORS, JobError, type JobErrorCode } from './errors.js'
export { renderJobOutput } from './render.js'

export const name = 'jobs'

export function apply(ctx: Context, config: Config): void {
  const { service, close } = createJobs({ config, now: Date.now, onError: (error) => ctx.logger.error(error) })
  ctx.effect(() => close, 'jobs')
  ctx.provide('jobs', service)
  ctx.inject(['tools'], (inner: Context) => {
    inner.tools.register(defineJobOutput(service, config))
    inner.tools.register(defineJobKill(service, config))
    inner.tools.register(defineJobList(service, config, Date.now))
  })
}
