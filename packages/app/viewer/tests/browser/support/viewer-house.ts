/** What `agent-terminals serve` puts together, without the command line: agents, real shells, the AHP host, the page. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@agent-terminals/agents'
import type { Agent } from '@agent-terminals/agents/contract'
import * as ahp from '@agent-terminals/ahp/host'
import * as jobs from '@agent-terminals/jobs'
import * as sandboxPolicy from '@agent-terminals/sandbox/policy'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import * as toolTerminal from '@agent-terminals/tool-terminal'
import * as tools from '@agent-terminals/tools'
import { Context } from '@deepseek-ai/cordis'
import * as viewer from '../../../src/server/index.js'

export interface HouseOptions {
  /** Of an earlier house, to come back as. */
  readonly port?: number
  readonly token?: string
  readonly ahp?: Readonly<Record<string, unknown>>
}

export class ViewerHouse {
  private constructor(
    readonly root: Context,
    readonly directory: string,
  ) {}

  static async build(options: HouseOptions = {}): Promise<ViewerHouse> {
    const root = new Context()
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'viewer-')))
    root.logger.exporter({ export: () => {} })
    await root.plugin(agents, {})
    await root.plugin(tools, tools.Config.parse({}))
    await root.plugin(jobs, jobs.Config.parse({}))
    const policy = { mode: 'danger-full-access', workspaceRoot: directory }
    await root.plugin(sandboxPolicy, sandboxPolicy.Config.parse(policy))
    await root.plugin(subprocess, subprocess.Config.parse({}))
    await root.plugin(terminal, terminal.Config.parse({}))
    await root.plugin(terminalBash, terminalBash.Config.parse({}))
    await root.plugin(toolTerminal, toolTerminal.Config.parse({}))
    const { port, token } = options
    const address = { ...(port === undefined ? {} : { port }), ...(token === undefined ? {} : { token }) }
    await root.plugin(ahp, ahp.Config.parse({ defaultDirectory: directory, ...address, ...options.ahp }))
    await root.plugin(viewer, viewer.Config.parse({}))
    return new ViewerHouse(root, directory)
  }

  get url(): string {
    return this.root.viewer.url
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  link(): string {
    return this.root.viewer.createLink()
  }

  createAgent(): Promise<Agent> {
    return this.root.agents.create({ cwd: this.directory })
  }

  /** The same address and token again, with nothing of what was in it. */
  async restart(): Promise<ViewerHouse> {
    const options = { port: this.port, token: this.root.ahp.token }
    await this.dispose()
    return ViewerHouse.build(options)
  }

  async dispose(): Promise<void> {
    await this.root.fiber.dispose()
    await rm(this.directory, { recursive: true, force: true })
  }
}

/** A shell of an agent, used as agents do: by the tools. */
export class AgentShell {
  private constructor(
    private readonly house: ViewerHouse,
    readonly agent: Agent,
    readonly sessionId: string,
  ) {}

  static async open(house: ViewerHouse, name: string): Promise<AgentShell> {
    const agent = await house.createAgent()
    const { result } = await house.root.tools.execute({ agent, name: 'terminal_open', args: { type: 'shell', name } })
    const sessionId = result.structured?.sessionId
    if (typeof sessionId !== 'string') throw new Error(JSON.stringify(result))
    return new AgentShell(house, agent, sessionId)
  }

  /** @returns the text that the model gets. */
  async send(text: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const args = { sessionId: this.sessionId, text, ...more }
    const { result } = await this.house.root.tools.execute({ agent: this.agent, name: 'terminal_send', args })
    return result.content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block.value))).join('\n')
  }
}
