/** Plugin: `ctx.acp`, an ACP v1 agent whose commands show as live terminal cards. */
import type {} from '@agent-terminals/agent-loop/contract'
import type {} from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/terminal'
import type {} from '@agent-terminals/tools/contract'
import type { Context } from '@deepseek-ai/cordis'
import { systemClock } from './clock.js'
import type { Config } from './config.js'
import { AcpClientConnection } from './connection.js'
import type { AcpService } from './contract.js'
import type { House } from './house.js'
import { createPermissionHook } from './permission.js'
import { createSessionStore } from './session-store.js'

export { Config } from './config.js'
export * from './contract.js'
export { ACP_ERRORS, type AcpErrorCode } from './errors.js'
export { type ClaimedStdio, claimStdio } from './stdio.js'

export const name = 'acp'
export const inject = ['agents', 'tools', 'agentLoop']

export function apply(ctx: Context, config: Config): void {
  const connections = new Set<AcpClientConnection>()
  const onError = (error: unknown) => ctx.logger.error(error)
  const house: House = {
    config,
    clock: systemClock,
    agents: ctx.agents,
    agentLoop: ctx.agentLoop,
    findTerminals: () => ctx.get('terminals'),
    store: config.sessionsDirectory === undefined ? undefined : createSessionStore(config.sessionsDirectory, onError),
    onError,
  }
  const service: AcpService = {
    serve(stream) {
      const connection = new AcpClientConnection(house, stream)
      connections.add(connection)
      void connection.ended.then(() => connections.delete(connection))
      return connection
    },
  }
  if (config.askPermission.length > 0) ctx.tools.hook(createPermissionHook(config.askPermission, connections))
  ctx.provide('acp', service)
  ctx.effect(
    () => async () => {
      await Promise.allSettled([...connections].map((connection) => connection.close()))
      await house.store?.settled()
    },
    'acp connections',
  )
}
