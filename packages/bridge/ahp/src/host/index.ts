/** Plugin: `ctx.ahp`, terminals for clients that speak the Agent Host Protocol. */
import { randomBytes } from 'node:crypto'
import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.js'
import type {} from './contract.js'
import { AhpHost } from './host.js'
import { admit, isOriginAllowed } from './server/admission.js'
import { type ListeningServer, listen } from './server/listen.js'

export { type Clock, systemClock } from './clock.js'
export { Config } from './config.js'
export type * from './contract.js'
export { fullBucket, type RateLimit, type TokenBucket, takeToken } from './core/index.js'
export { AhpHost } from './host.js'
export { isSameSecret } from './server/admission.js'

export const name = 'ahp'
export const inject = ['terminals']

export async function apply(ctx: Context, config: Config): Promise<void> {
  const token = config.token ?? randomBytes(32).toString('base64url')
  const host = new AhpHost(ctx, config)
  ctx.effect(() => () => host.dispose(), 'ahp host')
  const logger = ctx.logger(name)
  const logError = (error: unknown) => logger.error(error)
  const server: ListeningServer | undefined = config.listen
    ? await listen({ host, config, token, logError })
    : undefined
  if (server) ctx.effect(() => () => server.close(), 'ahp server')
  ctx.provide('ahp', {
    url: server?.url,
    token,
    accept: (transport, peer) => host.accept(transport, peer),
    onRequest(handler) {
      if (!server) throw new Error('The AHP host does not listen; set listen in its configuration.')
      return server.onRequest(handler)
    },
    admit: (request) => admit(request, { config, token }),
    isOriginAllowed: (request) => isOriginAllowed(request, { config }),
  })
}
