/** The connection's own terminals as resources, with notifications when they come, go and change. */
import type { TerminalEvent, TerminalSessionId } from '@agent-terminals/terminal'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { type Coalescer, createCoalescer } from '../coalesce.js'
import type { ConnectionConfig } from '../config.js'
import {
  ALL_LINES,
  describeTerminal,
  parseTerminalUri,
  renderTerminalPage,
  TERMINAL_URI_TEMPLATE,
  type TerminalPage,
} from '../core/terminal-resource.js'
import { RpcError } from '../errors.js'
import type { Host } from '../host.js'
import type { AgentHolder } from './agent.js'

/** MCP 2025-11-25, "Resources / Error Handling". */
const RESOURCE_NOT_FOUND = -32002

export interface ResourceHandlerParts {
  readonly server: Server
  readonly host: Host
  readonly holder: AgentHolder
  readonly config: Pick<ConnectionConfig, 'maxResourceBytes' | 'resourceIntervalMs'>
}

/** @returns a release: no notification follows it. */
export function handleResources({ server, host, holder, config }: ResourceHandlerParts): () => void {
  const own = new Set<TerminalSessionId>()
  const subscriptions = new Map<string, { readonly id: TerminalSessionId; readonly updates: Coalescer }>()

  const demand = (uri: string): { readonly id: TerminalSessionId; readonly page: TerminalPage } => {
    const id = parseTerminalUri(uri.replace(/\?.*$/s, ''))?.sessionId as TerminalSessionId | undefined
    // A terminal of another connection is answered like one that is not there.
    if (id === undefined || !own.has(id)) {
      throw new RpcError(RESOURCE_NOT_FOUND, 'Resource not found. resources/list names those there are.', { uri })
    }
    const page = parseTerminalUri(uri)
    if (page) return { id, page }
    const expected = 'lines, from 1, and offset, from 0: whole numbers, each at most once'
    throw new RpcError(ErrorCode.InvalidParams, `The part after "?" is not valid. It may have ${expected}.`, { uri })
  }

  server.setRequestHandler(ListResourcesRequestSchema, () => {
    const agent = holder.current()
    return { resources: agent ? host.terminals.list(agent).map(describeTerminal) : [] }
  })
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: TERMINAL_URI_TEMPLATE,
        name: 'Terminal scrollback',
        description: 'Retained output of a terminal: `lines` most, skipping `offset` lines back from the newest.',
        mimeType: 'text/plain',
      },
    ],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const { id, page } = demand(uri)
    const agent = holder.current()
    if (!agent) throw new RpcError(ErrorCode.InternalError, 'The agent of this connection has ended.')
    const scrollback = host.terminals.read(agent, id, { lines: page.lines ?? ALL_LINES, offset: page.offset ?? 0 })
    return { contents: [renderTerminalPage(uri, scrollback, config.maxResourceBytes)] }
  })

  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    const { id } = demand(uri)
    if (!subscriptions.has(uri)) {
      const announce = () => server.sendResourceUpdated({ uri }).catch(() => undefined)
      subscriptions.set(uri, { id, updates: createCoalescer(config.resourceIntervalMs, () => void announce()) })
    }
    return {}
  })
  const unsubscribe = (uri: string): void => {
    subscriptions.get(uri)?.updates.stop()
    subscriptions.delete(uri)
  }
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    unsubscribe(uri)
    return {}
  })

  const listChanges = createCoalescer(config.resourceIntervalMs, () => {
    void server.sendResourceListChanged().catch(() => undefined)
  })
  const update = (id: TerminalSessionId): void => {
    for (const subscription of subscriptions.values()) if (subscription.id === id) subscription.updates.request()
  }
  const handleEvent = (id: TerminalSessionId, event: TerminalEvent): void => {
    if (event.type === 'opened' && event.owner === holder.current()) {
      own.add(id)
      listChanges.request()
    }
    if (!own.has(id)) return
    if (event.type === 'data' || event.type === 'exited') update(id)
    if (event.type === 'exited') listChanges.request()
    if (event.type === 'closed') {
      own.delete(id)
      for (const [uri, subscription] of subscriptions) if (subscription.id === id) unsubscribe(uri)
      listChanges.request()
    }
  }

  const release = host.onTerminalEvent(handleEvent)
  return () => {
    release()
    listChanges.stop()
    for (const uri of [...subscriptions.keys()]) unsubscribe(uri)
  }
}
