/** Plugin: `ctx.subprocess`, processes on PTYs of this machine. Wiring only. */
import { randomBytes } from 'node:crypto'
import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.js'
import { joinHostEnd } from './host-end/index.js'
import { SubprocessHost } from './service.js'
import { createProcessSide } from './terminal/process-side.js'
import { readPtyFacts, resolveOpenPty } from './terminal/pty-support.js'

export { Config } from './config.js'
export * from './contract.js'
export { SubprocessError } from './errors.js'

export const name = 'subprocess'
export const inject: string[] = []

/** @throws SubprocessError when this machine can give no PTY: on Windows, or when node-pty is not whole. */
export function apply(ctx: Context, config: Config): void {
  const logger = ctx.logger('subprocess')
  const { platform, arch } = process
  const openPty = resolveOpenPty(platform)
  const hostEnd = joinHostEnd()
  const reportError = (error: unknown) => logger.error(error)
  const host = new SubprocessHost(config, {
    platform,
    hostTag: hostEnd.tag,
    openPty,
    createTag: () => randomBytes(16).toString('hex'),
    readHostEnvironment: () => process.env,
    createProcessSide: ({ pid, ttyPath }, tag) =>
      createProcessSide({ platform, arch, pid, ttyPath, tag, guard: hostEnd.guard }),
    readPtyFacts,
    reportError,
  })
  ctx.effect(function* () {
    yield () => hostEnd.close().catch(reportError)
    yield () => host.dispose()
  }, 'subprocess terminals')
  ctx.provide('subprocess', host)
}
