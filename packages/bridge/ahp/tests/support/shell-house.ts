/** The host as it is served: real shells, a real WebSocket server, real sockets. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@agent-terminals/agents'
import type { Agent } from '@agent-terminals/agents/contract'
import type { SandboxPolicyService } from '@agent-terminals/sandbox/contract'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import { Context } from '@deepseek-ai/cordis'
import { WebSocket } from 'ws'
import { AhpClient, type AhpClientOptions, openWebSocket, type WebSocketConstructor } from '../../src/client/index.js'
import * as ahp from '../../src/host/index.js'
import { ROOT, Wire } from './wire.js'

/** Every session runs unconfined. */
const openPolicy: SandboxPolicyService = {
  resolve: () => ({ mode: 'danger-full-access', workspaceRoot: '/', network: 'allow' }),
  setMode() {},
  fence: () => () => {},
}

export const NodeWebSocket = WebSocket as unknown as WebSocketConstructor

export { ROOT }

export class ShellHouse {
  readonly clients: AhpClient[] = []
  readonly wires: Wire[] = []
  /** Everything that was logged, as text. */
  readonly logged: string[] = []

  private constructor(
    readonly root: Context,
    readonly directory: string,
  ) {}

  static async build(config: Readonly<Record<string, unknown>> = {}): Promise<ShellHouse> {
    const root = new Context()
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'ahp-shell-')))
    const house = new ShellHouse(root, directory)
    root.logger.exporter({ export: (message) => void house.logged.push(message.args.map(String).join(' ')) })
    root.provide('sandboxPolicy', openPolicy)
    await root.plugin(agents, {})
    await root.plugin(subprocess, subprocess.Config.parse({}))
    await root.plugin(terminal, terminal.Config.parse({}))
    await root.plugin(terminalBash, terminalBash.Config.parse({}))
    await root.plugin(ahp, ahp.Config.parse({ gate: 'client', defaultDirectory: directory, ...config }))
    return house
  }

  get address(): string {
    return `${this.root.ahp.url}?tkn=${this.root.ahp.token}`
  }

  createAgent(): Promise<Agent> {
    return this.root.agents.create({ cwd: this.directory })
  }

  /** A client as an application has one. */
  async client(options: Partial<AhpClientOptions> = {}): Promise<AhpClient> {
    const client = new AhpClient({ open: () => openWebSocket(this.address, { WebSocket: NodeWebSocket }), ...options })
    this.clients.push(client)
    await client.waitForReady()
    return client
  }

  /** A peer at the level of messages. */
  async wire(): Promise<Wire> {
    const wire = new Wire(await openWebSocket(this.address, { WebSocket: NodeWebSocket }))
    this.wires.push(wire)
    return wire
  }

  async readyWire(clientId: string, subscriptions: readonly string[] = []): Promise<Wire> {
    const wire = await this.wire()
    await wire.request('initialize', {
      channel: ROOT,
      protocolVersions: ['1.0.0'],
      clientId,
      initialSubscriptions: subscriptions,
    })
    return wire
  }

  async dispose(): Promise<void> {
    for (const client of this.clients) client.close()
    for (const wire of this.wires) wire.close()
    await this.root.fiber.dispose()
    await rm(this.directory, { recursive: true, force: true })
  }
}
