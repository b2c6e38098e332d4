/** A root with the host services, the terminal service, a scripted backend and the tools, used as a model would use them. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@agent-terminals/agents'
import type { Agent } from '@agent-terminals/agents/contract'
import * as jobs from '@agent-terminals/jobs'
import * as terminal from '@agent-terminals/terminal'
import * as tools from '@agent-terminals/tools'
import type { ExecutedCall, ExecuteOptions } from '@agent-terminals/tools/contract'
import { Context, type Fiber } from '@deepseek-ai/cordis'
import * as toolTerminal from '../src/index.js'
import { ScriptedBackend, type ScriptedSession } from './scripted-backend.js'

export interface House {
  readonly root: Context
  readonly backend: ScriptedBackend
  readonly agent: Agent
  readonly plugin: Fiber
  createAgent(): Promise<Agent>
  /** One call as a model makes it. */
  call(name: string, args: unknown, options?: Partial<ExecuteOptions>): Promise<ExecutedCall>
  /** The text of one call. */
  text(name: string, args: unknown, options?: Partial<ExecuteOptions>): Promise<string>
  /** Open a terminal. */
  open(args?: { readonly name?: string }): Promise<{ readonly sessionId: string; readonly session: ScriptedSession }>
  dispose(): Promise<void>
}

export interface HouseOptions {
  readonly config?: Readonly<Record<string, unknown>>
  readonly withJobs?: boolean
}

export async function buildHouse({ config = {}, withJobs = true }: HouseOptions = {}): Promise<House> {
  const root = new Context()
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'tool-terminal-')))
  await root.plugin(agents, {})
  await root.plugin(tools, tools.Config.parse({}))
  await root.plugin(terminal, terminal.Config.parse({}))
  if (withJobs) await root.plugin(jobs, jobs.Config.parse({}))
  const backend = new ScriptedBackend()
  await root.inject(['terminals'], (ctx) => {
    ctx.terminals.registerBackend(backend)
  })
  const plugin = await root.plugin(toolTerminal, toolTerminal.Config.parse(config))
  const createAgent = () => root.agents.create({ cwd })
  const agent = await createAgent()

  const call: House['call'] = (name, args, options = {}) => root.tools.execute({ agent, name, args, ...options })
  return {
    root,
    backend,
    agent,
    plugin,
    createAgent,
    call,
    text: async (name, args, options) => textOf(await call(name, args, options)),
    async open(args = {}) {
      const { result } = await call('terminal_open', { type: 'shell', ...args })
      const session = backend.sessions.at(-1)
      const sessionId = result.structured?.sessionId
      if (typeof sessionId !== 'string' || session === undefined) throw new Error(JSON.stringify(result))
      return { sessionId, session }
    },
    async dispose() {
      await root.fiber.dispose()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}

export function textOf({ result }: ExecutedCall): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block.value))).join('\n')
}

/** Let everything that is already decided happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
