/** Asking a client for its roots, as part of one of its own requests: over HTTP nothing else is sure to reach it. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { ConnectionConfig } from '../config.js'
import type { AskRoots } from './agent.js'

export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Looser than MCP's own: one root of a kind we do not know is no reason to pass over the others. */
const Roots = z.object({ roots: z.array(z.object({ uri: z.string() })) })

/** A client without the capability, or one that does not answer in time, has no roots. */
export function createRootsQuestion(
  server: Server,
  extra: RequestExtra,
  { rootsTimeoutMs }: Pick<ConnectionConfig, 'rootsTimeoutMs'>,
): AskRoots {
  return async () => {
    if (server.getClientCapabilities()?.roots === undefined) return []
    try {
      const answer = await extra.sendRequest({ method: 'roots/list' }, Roots, {
        timeout: rootsTimeoutMs,
      })
      return answer.roots.map(({ uri }) => uri)
    } catch {
      return []
    }
  }
}
