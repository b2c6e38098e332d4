/** One MCP connection: one agent, and an end that is awaited. */

import { cleanLine } from '@agent-terminals/text'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createCoalescer } from '../coalesce.js'
import type { ConnectionConfig } from '../config.js'
import { renderGuidance } from '../core/guidance.js'
import type { Host } from '../host.js'
import { version } from '../version.js'
import { createAgentHolder } from './agent.js'
import { handlePrompts } from './prompts.js'
import { handleResources } from './resources.js'
import { handleTools } from './tools.js'

const MAX_NOTICE_BYTES = 400

export interface Connection {
  /** Resolves when the connection has ended and everything its agent owned is gone; rejects with what could not be released. */
  readonly ended: Promise<void>
  /** End it from this side. Repeated calls join. */
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly host: Host
  readonly config: ConnectionConfig
  readonly transport: Transport
  /** Lines for whoever runs the server: refused wishes, malformed messages. */
  readonly onNotice: (notice: string) => void
}

/** Start to serve a transport. Whatever closes it ends the agent. */
export async function openConnection({ host, config, transport, onNotice }: ConnectionOptions): Promise<Connection> {
  const server = new Server(
    { name: 'agent-terminals', version },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
      },
      instructions: renderGuidance(host.tools.guidance()),
    },
  )
  const holder = createAgentHolder({
    host,
    config,
    onNotice(text) {
      const notice = cleanLine(text, MAX_NOTICE_BYTES)
      onNotice(notice)
      void server
        .sendLoggingMessage({ level: 'warning', logger: 'agent-terminals', data: notice })
        .catch(() => undefined)
    },
  })
  handleTools({ server, host, holder, config })
  handlePrompts(server, host)
  const releaseResources = handleResources({ server, host, holder, config })
  const toolChanges = createCoalescer(config.resourceIntervalMs, () => {
    void server.sendToolListChanged().catch(() => undefined)
    void server.sendPromptListChanged().catch(() => undefined)
  })
  const releaseTools = host.onToolsChanged(() => toolChanges.request())

  let resolveClosed: () => void = () => undefined
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve
  })
  const ended = closed.then(async () => {
    releaseTools()
    toolChanges.stop()
    releaseResources()
    await holder.end()
  })
  // Whoever closes hears of a failure; a client that vanished has nobody who waits.
  ended.catch(() => undefined)
  server.onclose = resolveClosed
  // The message may quote what the client sent.
  server.onerror = (error) => onNotice(cleanLine(error.message, MAX_NOTICE_BYTES))
  await server.connect(transport)

  return {
    ended,
    async close() {
      await server.close()
      // A transport that was never started, or that failed, does not say that it closed.
      resolveClosed()
      await ended
    },
  }
}
