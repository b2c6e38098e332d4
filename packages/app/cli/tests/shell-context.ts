/** What a terminal needs, without the command line around it and without a sandbox. */
import * as agents from '@agent-terminals/agents'
import type { SandboxPolicyService } from '@agent-terminals/sandbox/contract'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import { Context } from '@deepseek-ai/cordis'

const openPolicy: SandboxPolicyService = {
  resolve: () => ({ mode: 'danger-full-access', workspaceRoot: '/', network: 'allow' }),
  setMode() {},
  fence: () => () => {},
}

/** Agents and terminals, of which there is no kind yet. */
export async function createContext(): Promise<Context> {
  const ctx = new Context()
  ctx.provide('sandboxPolicy', openPolicy)
  await ctx.plugin(agents, {})
  await ctx.plugin(subprocess, subprocess.Config.parse({}))
  await ctx.plugin(terminal, terminal.Config.parse({}))
  return ctx
}

export async function mountShell(ctx: Context): Promise<void> {
  await ctx.plugin(terminalBash, terminalBash.Config.parse({}))
}
