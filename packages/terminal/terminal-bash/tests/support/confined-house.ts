/** Terminals as a deployment confines them: real agents, policy, runner and shell, with the runner chosen by the test. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@agent-terminals/agents'
import type { Agent } from '@agent-terminals/agents/contract'
import * as sandboxPolicy from '@agent-terminals/sandbox/policy'
import * as sandboxRunner from '@agent-terminals/sandbox/runner'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import { Context } from '@deepseek-ai/cordis'
import * as terminalBash from '../../src/index.js'
import { Terminal } from './shell-host.js'

/** The runners that this platform can have; each is exercised, none is a fallback of another. */
export const RUNNERS = process.platform === 'linux' ? (['bwrap', 'landlock'] as const) : (['seatbelt'] as const)
export type RunnerName = (typeof RUNNERS)[number]
export const CONFINED_MODES = ['read-only', 'workspace-write'] as const

/** Every runner with every confined mode. */
export const CONFINEMENTS = RUNNERS.flatMap((runner) => CONFINED_MODES.map((mode) => ({ runner, mode })))

export interface ConfinedHouseOptions {
  readonly runner?: RunnerName
  readonly mode?: (typeof CONFINED_MODES)[number] | 'danger-full-access'
  readonly network?: 'allow' | 'deny'
  readonly shell?: Record<string, unknown>
  readonly environment?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] }
}

export interface OpenTerminalOptions {
  readonly cwd?: string
  readonly signal?: AbortSignal
  readonly name?: string
}

export interface ConfinedHouse {
  readonly ctx: Context
  readonly agent: Agent
  /** Below the home directory: a runner that hides the machine's temporary directory must not get the credit. */
  readonly workspace: string
  /** Beside the workspace, with one file that must stay as it is. */
  readonly outside: string
  readonly secret: string
  open(options?: OpenTerminalOptions): Promise<Terminal>
  close(): Promise<void>
}

export async function buildConfinedHouse(options: ConfinedHouseOptions = {}): Promise<ConfinedHouse> {
  const base = realpathSync(mkdtempSync(join(homedir(), '.confined-')))
  const workspace = join(base, 'workspace')
  const outside = join(base, 'outside')
  for (const directory of [workspace, outside]) mkdirSync(directory)
  const secret = join(outside, 'file')
  writeFileSync(secret, 'untouched')

  const ctx = new Context()
  await ctx.plugin(agents, {})
  const { mode = 'workspace-write', network = 'allow' } = options
  await ctx.plugin(sandboxPolicy, sandboxPolicy.Config.parse({ mode, network, workspaceRoot: workspace }))
  await ctx.plugin(
    sandboxRunner,
    sandboxRunner.Config.parse(options.runner === undefined ? {} : { runners: [options.runner] }),
  )
  await ctx.plugin(subprocess, subprocess.Config.parse({ environment: options.environment ?? {} }))
  await ctx.plugin(terminal, terminal.Config.parse({}))
  await ctx.plugin(terminalBash, terminalBash.Config.parse(options.shell ?? {}))
  const agent = await ctx.agents.create({ cwd: workspace })
  return {
    ctx,
    agent,
    workspace,
    outside,
    secret,
    open: async (request = {}) => {
      const opened = await ctx.terminals.spawn(agent, { type: 'shell', ...request })
      return new Terminal(ctx, agent, opened)
    },
    async close() {
      await ctx.fiber.dispose()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Private directories of this process's confinements. */
export function listPrivateDirectories(): string[] {
  return readdirSync(tmpdir()).filter((name) => new RegExp(`^agent-terminals-\\d+-${process.pid}-`).test(name))
}
