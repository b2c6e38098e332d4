/** One client: its capabilities, its sessions, and their end. */
import { isAbsolute } from 'node:path'
import type { Agent, SessionEventType } from '@agent-terminals/agents/contract'
import {
  type AgentConnection,
  agent as createAgentApp,
  type InitializeResponse,
  type LoadSessionRequest,
  methods,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  type PromptRequest,
  type PromptResponse,
  RequestError,
  type Stream,
} from '@agentclientprotocol/sdk'
import { AGENT_INFO } from './agent-info.js'
import type { AcpServing } from './contract.js'
import { type Gate, type OfferedServer, renderUnusedServers, resolveGate } from './core/index.js'
import { cwdInvalid, sessionLive, sessionNotKept, unknownSession } from './errors.js'
import type { House } from './house.js'
import { AcpSession } from './session.js'
import { type TrackedStream, trackWrites } from './tracked-stream.js'

interface Adoption {
  /** Whether the store has the log so far. */
  readonly isKept: boolean
  readonly mcpServers: readonly OfferedServer[]
}

export class AcpClientConnection implements AcpServing {
  readonly ended: Promise<void>
  private readonly sessions = new Map<string, AcpSession>()
  private readonly connection: AgentConnection
  private readonly tracked: TrackedStream
  /** Prompts that have not been answered yet. */
  private readonly answering = new Set<Promise<unknown>>()
  private gate: Gate = { kind: 'text' }

  constructor(
    private readonly house: House,
    stream: Stream,
  ) {
    this.tracked = trackWrites(stream)
    this.connection = this.createApp().connect(this.tracked.stream)
    this.ended = this.connection.closed.then(() => this.finish())
  }

  async close(): Promise<void> {
    await Promise.race([this.endSessions(), this.waitForGrace(), this.connection.closed])
    this.connection.close()
    await this.ended
  }

  /** The session of an agent, when it is one of this connection's. */
  findSession(agent: Agent): AcpSession | undefined {
    const session = this.sessions.get(agent.id)
    return session?.agent === agent ? session : undefined
  }

  /** Ask the client whether a call may run. @returns whether it may. */
  async askPermission(session: AcpSession, callId: string, signal: AbortSignal): Promise<boolean> {
    // The call has to be known before the question about it arrives.
    await session.queue.idle()
    const { outcome } = await this.connection.client.request(
      methods.client.session.requestPermission,
      {
        sessionId: session.id,
        toolCall: { toolCallId: callId },
        options: [
          { optionId: 'allow', name: 'Run once', kind: 'allow_once' },
          { optionId: 'reject', name: 'Do not run', kind: 'reject_once' },
        ],
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    )
    const isAllowed = outcome.outcome === 'selected' && outcome.optionId === 'allow'
    if (isAllowed) session.permit(callId)
    return isAllowed
  }

  private createApp() {
    return createAgentApp({ name: AGENT_INFO.name })
      .onRequest(methods.agent.initialize, ({ params }) => this.initialize(params.clientCapabilities))
      .onRequest(methods.agent.authenticate, () => ({}))
      .onRequest(methods.agent.session.new, ({ params }) => this.open(params))
      .onRequest(methods.agent.session.load, ({ params }) => this.load(params))
      .onRequest(methods.agent.session.close, async ({ params }) => {
        await this.demand(params.sessionId).close()
        this.sessions.delete(params.sessionId)
        return {}
      })
      .onRequest(methods.agent.session.prompt, ({ params, signal }) => this.prompt(params, signal))
      .onNotification(methods.agent.session.cancel, ({ params }) => this.sessions.get(params.sessionId)?.cancel())
  }

  private initialize(capabilities: unknown): InitializeResponse {
    this.gate = resolveGate(capabilities)
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: AGENT_INFO,
      authMethods: [],
      agentCapabilities: {
        loadSession: this.house.store !== undefined,
        promptCapabilities: { embeddedContext: true },
        sessionCapabilities: { close: {} },
      },
    }
  }

  private async open({ cwd, mcpServers }: NewSessionRequest) {
    const agent = await this.createAgent(cwd, undefined)
    return { sessionId: this.adopt(agent, { isKept: false, mcpServers }).id }
  }

  private async load({ sessionId, cwd, mcpServers }: LoadSessionRequest) {
    // Its cards would be registered a second time.
    if (this.sessions.has(sessionId)) throw sessionLive(sessionId)
    const events = await this.house.store?.read(sessionId)
    if (!events) throw sessionNotKept(sessionId)
    const agent = await this.createAgent(cwd, sessionId)
    // The model remembers from its log alone: what was said and done then is put into the new one.
    for (const event of events.slice(1)) agent.session.append<SessionEventType>(event.type, event.data)
    await this.adopt(agent, { isKept: true, mcpServers }).replay(events)
    return {}
  }

  private async prompt({ sessionId, prompt }: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const turn = this.demand(sessionId).prompt(prompt, signal)
    const isOver = turn.catch(() => undefined)
    this.answering.add(isOver)
    try {
      const stopReason = await turn
      // What has been answered will be there when the session is loaded.
      await this.house.store?.settled()
      if (signal.aborted) throw RequestError.requestCancelled()
      return { stopReason }
    } finally {
      this.answering.delete(isOver)
    }
  }

  private async createAgent(cwd: string, id: string | undefined): Promise<Agent> {
    if (!isAbsolute(cwd)) throw cwdInvalid(cwd, 'must be an absolute path')
    try {
      return await this.house.agents.create({ cwd, ...(id === undefined ? {} : { id }) })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'CWD_INVALID' && error instanceof Error) throw cwdInvalid(cwd, error.message)
      if (code === 'ID_TAKEN' && id !== undefined) throw sessionLive(id)
      throw error
    }
  }

  private adopt(agent: Agent, { isKept, mcpServers }: Adoption): AcpSession {
    const { config, clock, agentLoop, findTerminals, onError, store } = this.house
    const session = new AcpSession({
      agent,
      gate: this.gate,
      config,
      clock,
      agentLoop,
      findTerminals,
      onError,
      notice: renderUnusedServers(mcpServers),
      send: (update) => this.connection.client.notify(methods.client.session.update, { sessionId: agent.id, update }),
    })
    this.sessions.set(agent.id, session)
    if (isKept) store?.follow(agent)
    else store?.keep(agent)
    return session
  }

  private demand(sessionId: string): AcpSession {
    const session = this.sessions.get(sessionId)
    if (!session?.agent.alive) throw unknownSession(sessionId)
    return session
  }

  /** While the connection is open, so that the client sees how its cards end and gets its answers. */
  private async endSessions(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((session) => session.close()))
    await Promise.all(this.answering)
    await this.house.store?.settled()
    await this.tracked.written()
  }

  private waitForGrace(): Promise<void> {
    const { clock, config } = this.house
    return new Promise((resolve) => {
      const cancel = clock.setTimer(config.closeGraceMs, resolve)
      void this.connection.closed.then(cancel)
    })
  }

  /** The client has gone: there is nobody left to tell, and everything it started ends. */
  private async finish(): Promise<void> {
    const sessions = [...this.sessions.values()]
    for (const session of sessions) session.queue.close()
    await Promise.all(sessions.map((session) => session.close()))
    this.sessions.clear()
  }
}
