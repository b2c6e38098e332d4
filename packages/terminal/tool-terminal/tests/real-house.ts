/** The tools over a real shell: every plugin as a deployment mounts it, without a sandbox. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@agent-terminals/agents'
import type { Agent } from '@agent-terminals/agents/contract'
import * as jobs from '@agent-terminals/jobs'
import * as sandboxPolicy from '@agent-terminals/sandbox/policy'
import * as subprocess from '@agent-terminals/subprocess'
import type { SubprocessService } from '@agent-terminals/subprocess/contract'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import * as tools from '@agent-terminals/tools'
import type { ExecutedCall, ExecuteOptions } from '@agent-terminals/tools/contract'
import { Context } from '@deepseek-ai/cordis'
import * as toolTerminal from '../src/index.js'
import { textOf } from './house.js'

export interface RealHouse {
  readonly root: Context
  readonly agent: Agent
  readonly cwd: string
  call(name: string, args: unknown, options?: Partial<ExecuteOptions>): Promise<ExecutedCall>
  text(name: string, args: unknown, options?: Partial<ExecuteOptions>): Promise<string>
  open(): Promise<string>
  dispose(): Promise<void>
}

export interface RealHouseOptions {
  /** Configuration of `ctx.terminals` and of the shell backend. */
  readonly terminal?: Readonly<Record<string, unknown>>
  readonly shell?: Readonly<Record<string, unknown>>
  /** What the backend gets in place of the real host. */
  readonly replaceSubprocess?: (service: SubprocessService) => SubprocessService
}

export async function buildRealHouse(
  config: Readonly<Record<string, unknown>> = {},
  options: RealHouseOptions = {},
): Promise<RealHouse> {
  const root = new Context()
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'tool-terminal-')))
  await root.plugin(agents, {})
  await root.plugin(tools, tools.Config.parse({}))
  await root.plugin(jobs, jobs.Config.parse({}))
  await root.plugin(sandboxPolicy, sandboxPolicy.Config.parse({ mode: 'danger-full-access', workspaceRoot: cwd }))
  await mountSubprocess(root, options)
  await root.plugin(terminal, terminal.Config.parse(options.terminal ?? {}))
  await root.plugin(terminalBash, terminalBash.Config.parse(options.shell ?? {}))
  await root.plugin(toolTerminal, toolTerminal.Config.parse(config))
  const agent = await root.agents.create({ cwd })
  const call: RealHouse['call'] = (name, args, options = {}) => root.tools.execute({ agent, name, args, ...options })
  return {
    root,
    agent,
    cwd,
    call,
    text: async (name, args, options) => textOf(await call(name, args, options)),
    async open() {
      const { result } = await call('terminal_open', { type: 'shell' })
      const sessionId = result.structured?.sessionId
      if (typeof sessionId !== 'string') throw new Error(JSON.stringify(result))
      return sessionId
    },
    async dispose() {
      await agent.dispose()
      await root.fiber.dispose()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}

async function mountSubprocess(root: Context, { replaceSubprocess }: RealHouseOptions): Promise<void> {
  if (replaceSubprocess === undefined) {
    await root.plugin(subprocess, subprocess.Config.parse({}))
    return
  }
  const host = new Context()
  await host.plugin(subprocess, subprocess.Config.parse({}))
  root.provide('subprocess', replaceSubprocess(host.subprocess))
  root.effect(() => () => host.fiber.dispose(), 'the host behind the replacement')
}
