/** An ACP client on the SDK's client side that records every message and judges the record by the sheet. */
import {
  type AnyMessage,
  type ClientConnection,
  client as createClientApp,
  type InitializeResponse,
  type McpServer,
  methods,
  type PromptResponse,
  type RequestPermissionResponse,
  type Stream,
} from '@agentclientprotocol/sdk'
import { Screen, type Variant, type View, type WireUpdate } from './card.js'
import { type Advertised, findViolations, type Recorded } from './rules.js'

export interface ClientOptions {
  /** `clientCapabilities._meta`. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** Other capabilities. */
  readonly capabilities?: Readonly<Record<string, unknown>>
  readonly onPermission?: (toolCallId: string, client: TestClient) => Promise<RequestPermissionResponse>
}

/** Requests during which updates of any kind may come. */
const WITH_UPDATES: readonly string[] = [methods.agent.session.prompt, methods.agent.session.load]

interface SessionRecord {
  readonly stream: Recorded[]
  readonly screens: Readonly<Record<Variant, Screen>>
}

export class TestClient {
  /** Every message from the agent as it came, before the SDK has looked at it. */
  readonly wire: AnyMessage[] = []
  readonly initialized: Promise<InitializeResponse>
  private readonly sessions = new Map<string, SessionRecord>()
  private readonly watchers = new Set<() => void>()
  private readonly requestIds = new Map<string | number, string>()
  private readonly connection: ClientConnection

  constructor(
    stream: Stream,
    private readonly options: ClientOptions = {},
  ) {
    const app = createClientApp({ name: 'test-client' })
      .onNotification(methods.client.session.update, () => undefined)
      .onRequest(methods.client.session.requestPermission, async ({ params }) => {
        const answer = await this.options.onPermission?.(params.toolCall.toolCallId, this)
        return answer ?? { outcome: { outcome: 'cancelled' } }
      })
    this.connection = app.connect(this.tap(stream))
    this.initialized = this.connection.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: 'test-client', version: '1' },
      clientCapabilities: { ...options.capabilities, ...(options.meta ? { _meta: { ...options.meta } } : {}) },
    })
  }

  get agent() {
    return this.connection.agent
  }

  async open(cwd: string, mcpServers: McpServer[] = []): Promise<string> {
    await this.initialized
    const { sessionId } = await this.agent.request(methods.agent.session.new, { cwd, mcpServers })
    return sessionId
  }

  prompt(sessionId: string, text = 'go'): Promise<PromptResponse> {
    return this.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
  }

  cancel(sessionId: string): Promise<void> {
    return this.agent.notify(methods.agent.session.cancel, { sessionId })
  }

  /** What the agent sent about a session, in order. */
  stream(sessionId: string): readonly Recorded[] {
    return this.record(sessionId).stream
  }

  updates(sessionId: string): readonly WireUpdate[] {
    return this.stream(sessionId).flatMap((item) => (item.kind === 'update' ? [item.update] : []))
  }

  /** The tool calls of a session, in the order of their appearance. */
  callIds(sessionId: string): readonly string[] {
    return this.updates(sessionId).flatMap((update) =>
      update.sessionUpdate === 'tool_call' ? [String(update.toolCallId)] : [],
    )
  }

  view(sessionId: string, callId: string, variant: Variant = 'newer'): View {
    return this.record(sessionId).screens[variant].view(callId)
  }

  /** Text of the agent's messages, joined. */
  said(sessionId: string): string {
    return this.updates(sessionId)
      .filter((update) => update.sessionUpdate === 'agent_message_chunk')
      .map((update) => (update.content as { text: string }).text)
      .join('')
  }

  /** Rule violations of all sessions, and updates that a reader would have refused. */
  violations(): readonly string[] {
    return [...this.sessions.values()].flatMap(({ stream, screens }) => [
      ...findViolations(stream, this.advertised),
      ...screens.older.refused,
      ...screens.newer.refused,
    ])
  }

  /** Resolves as soon as the record fulfils the condition. */
  async until(what: string, isTrue: () => boolean): Promise<void> {
    if (isTrue()) return
    await new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!isTrue()) return
        this.watchers.delete(check)
        resolve()
      }
      this.watchers.add(check)
      void this.connection.closed.then(() => reject(new Error(`the connection ended before ${what}`)))
    })
  }

  async close(): Promise<void> {
    this.connection.close()
    await this.connection.closed
  }

  private get advertised(): Advertised {
    const { meta } = this.options
    if (meta?.terminal_output_delta === true) return 'terminal_output_delta'
    return meta?.terminal_output === true ? 'terminal_output' : undefined
  }

  private record(sessionId: string): SessionRecord {
    const known = this.sessions.get(sessionId)
    if (known) return known
    const created = { stream: [], screens: { older: new Screen('older'), newer: new Screen('newer') } }
    this.sessions.set(sessionId, created)
    return created
  }

  private tap({ readable, writable }: Stream): Stream {
    const incoming = new TransformStream<AnyMessage, AnyMessage>({
      transform: (message, controller) => {
        this.handleIncoming(message)
        controller.enqueue(message)
      },
    })
    const outgoing = new TransformStream<AnyMessage, AnyMessage>({
      transform: (message, controller) => {
        this.handleOutgoing(message)
        controller.enqueue(message)
      },
    })
    void outgoing.readable.pipeTo(writable).catch(() => undefined)
    return { readable: readable.pipeThrough(incoming), writable: outgoing.writable }
  }

  private handleIncoming(message: AnyMessage): void {
    this.wire.push(message)
    if ('method' in message) {
      const params = message.params as { readonly sessionId: string; readonly update: WireUpdate }
      if (message.method === methods.client.session.update) {
        const { stream, screens } = this.record(params.sessionId)
        stream.push({ kind: 'update', update: params.update })
        screens.older.apply(params.update)
        screens.newer.apply(params.update)
      } else if (message.method === methods.client.session.requestPermission) {
        this.record(params.sessionId).stream.push({ kind: 'permission', params })
      }
    } else if (message.id !== null) {
      const sessionId = this.requestIds.get(message.id)
      if (sessionId !== undefined) this.record(sessionId).stream.push({ kind: 'request-answered' })
    }
    for (const watch of [...this.watchers]) watch()
  }

  private handleOutgoing(message: AnyMessage): void {
    if (!('method' in message) || !('id' in message) || !WITH_UPDATES.includes(message.method)) return
    const { sessionId } = message.params as { readonly sessionId: string }
    if (message.id === null) return
    this.requestIds.set(message.id, sessionId)
    this.record(sessionId).stream.push({ kind: 'request-sent' })
  }
}
