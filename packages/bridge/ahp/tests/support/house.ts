/** The host on the real terminal service with a scripted backend and a manual clock, reached over in-memory transports. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@agent-terminals/agents'
import type { Agent } from '@agent-terminals/agents/contract'
import type { TerminalSessionId } from '@agent-terminals/terminal'
import * as terminal from '@agent-terminals/terminal'
import { ManualClock } from '@agent-terminals/testing'
import { Context } from '@deepseek-ai/cordis'
import { AhpHost, Config } from '../../src/host/index.js'
import { createMemoryPair, type Snapshot, type TerminalState, type Transport } from '../../src/protocol/index.js'
import { ScriptedBackend, type ScriptedSession } from './scripted-backend.js'
import { ROOT, settle, Wire } from './wire.js'

export const T = 'ahp-terminal:/t'

export interface ConnectOptions {
  readonly clientId?: string
  readonly principal?: string
  readonly versions?: readonly string[]
  readonly subscriptions?: readonly string[]
}

export class House {
  readonly backend = new ScriptedBackend()
  readonly wires: Wire[] = []
  /** Everything that was logged, as text. */
  readonly logged: string[] = []

  private constructor(
    readonly root: Context,
    readonly directory: string,
    readonly host: AhpHost,
    readonly clock: ManualClock,
  ) {}

  static async build(config: Readonly<Record<string, unknown>> = {}): Promise<House> {
    const root = new Context()
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'ahp-')))
    await root.plugin(agents, {})
    await root.plugin(terminal, terminal.Config.parse({}))
    const clock = new ManualClock()
    const parsed = Config.parse({ listen: false, gate: 'client', defaultDirectory: directory, ...config })
    let host: AhpHost | undefined
    await root.plugin({
      name: 'ahp',
      inject: ['terminals'],
      apply(ctx: Context) {
        host = new AhpHost(ctx, parsed, clock)
        ctx.effect(() => () => host?.dispose(), 'ahp host')
      },
    })
    if (!host) throw new Error('the host did not start')
    const house = new House(root, directory, host, clock)
    root.logger.exporter({ export: (message) => void house.logged.push(message.args.map(String).join(' ')) })
    await root.inject(['terminals'], (ctx) => {
      ctx.terminals.registerBackend(house.backend)
    })
    return house
  }

  /** A transport whose other end the host serves. */
  open(principal = 'owner'): Transport {
    const [mine, theirs] = createMemoryPair()
    this.host.accept(theirs, { principal })
    return mine
  }

  /** A connection on which nothing has been said. */
  fresh(principal?: string): Wire {
    const wire = new Wire(this.open(principal))
    this.wires.push(wire)
    return wire
  }

  /** A ready connection. */
  async connect(options: ConnectOptions = {}): Promise<Wire> {
    const { clientId = 'a', principal, versions = ['1.0.0'], subscriptions = [] } = options
    const wire = this.fresh(principal)
    await wire.request('initialize', {
      channel: ROOT,
      protocolVersions: versions,
      clientId,
      initialSubscriptions: subscriptions,
    })
    return wire
  }

  /** A terminal held by the client of a connection. */
  async create(wire: Wire, { clientId = 'a', uri = T, ...params }: CreateOptions = {}): Promise<ScriptedSession> {
    await wire.request('createTerminal', { channel: uri, claim: { kind: 'client', clientId }, ...params })
    return this.backend.last
  }

  /** A connection A that holds T and follows it and the root. */
  async withT(options: ConnectOptions = {}): Promise<{ readonly a: Wire; readonly session: ScriptedSession }> {
    const a = await this.connect({ subscriptions: [ROOT], ...options })
    const session = await this.create(a, options.clientId === undefined ? {} : { clientId: options.clientId })
    await this.subscribe(a)
    return { a, session }
  }

  async subscribe(wire: Wire, uri = T, delivery?: object): Promise<{ readonly snapshot: WireSnapshot }> {
    const params = { channel: uri, ...(delivery ? { delivery } : {}) }
    return (await wire.request('subscribe', params)) as { readonly snapshot: WireSnapshot }
  }

  /** The state as a newcomer gets it. */
  async stateOf(uri = T): Promise<TerminalState> {
    const wire = await this.connect({ clientId: 'onlooker', principal: 'onlooker' })
    const { snapshot } = await this.subscribe(wire, uri)
    wire.close()
    await settle()
    return snapshot.state
  }

  /** An agent with a terminal. */
  async agentTerminal(): Promise<AgentTerminal> {
    const agent = await this.root.agents.create({ cwd: this.directory })
    const { sessionId } = await this.root.terminals.spawn(agent, { type: 'shell', name: 'agent' })
    await settle()
    const id = encodeURIComponent(agent.session.id)
    return {
      agent,
      sessionId,
      session: this.backend.last,
      uri: `ahp-terminal:/${sessionId}`,
      claim: { kind: 'session', session: `ahp-session:/${id}`, chat: `ahp-chat:/${id}` },
    }
  }

  /** A send of an agent within a tool call. @returns how to settle it. */
  async sendFrom({ agent, sessionId, session }: AgentTerminal, toolCallId = 'call-1'): Promise<() => Promise<void>> {
    this.root.terminals.send(agent, sessionId, { text: 'make', submit: true, toolCallId, turnId: 'turn-1' })
    await settle()
    return async () => {
      session.sends.at(-1)?.settle()
      await settle()
    }
  }

  /** Let what is decided happen, let time pass, and let happen what follows. */
  async pass(ms: number): Promise<void> {
    await settle()
    this.clock.advance(ms)
    await settle()
  }

  async dispose(): Promise<void> {
    for (const wire of this.wires) wire.close()
    await this.root.fiber.dispose()
    await rm(this.directory, { recursive: true, force: true })
  }
}

export interface CreateOptions {
  readonly clientId?: string
  readonly uri?: string
  readonly claim?: unknown
  readonly name?: string
  readonly cwd?: string
  readonly cols?: number
  readonly rows?: number
}

export interface WireSnapshot extends Omit<Snapshot, 'state'> {
  readonly state: TerminalState
}

export interface AgentTerminal {
  readonly agent: Agent
  readonly sessionId: TerminalSessionId
  readonly session: ScriptedSession
  readonly uri: string
  readonly claim: { readonly kind: 'session'; readonly session: string; readonly chat: string }
}

export { codeOf, ROOT, settle, Wire } from './wire.js'
