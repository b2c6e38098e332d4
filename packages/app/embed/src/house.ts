/** Mount everything a terminal needs, or nothing. */
import * as agents from '@agent-terminals/agents'
import type { Agent } from '@agent-terminals/agents/contract'
import * as jobs from '@agent-terminals/jobs'
import * as sandboxPolicy from '@agent-terminals/sandbox/policy'
import * as sandbox from '@agent-terminals/sandbox/runner'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import * as toolTerminal from '@agent-terminals/tool-terminal'
import * as tools from '@agent-terminals/tools'
import { Context, Logger, type Message } from '@deepseek-ai/cordis'
import { EmbedError } from './errors.js'
import type { LogEntry, ResolvedOptions } from './options.js'

/** What was mounted, with the agent that owns the terminals. */
export interface House {
  readonly ctx: Context
  readonly agent: Agent
}

/** @throws EmbedError `START_FAILED`; everything that had started is gone then. */
export async function buildHouse(options: ResolvedOptions): Promise<House> {
  const ctx = new Context()
  if (options.onLog) forwardLogs(ctx, options.onLog)
  try {
    await mountAll(ctx, options)
    const agent = await ctx.agents.create({ cwd: options.cwd ?? options.sandboxPolicy.workspaceRoot })
    return { ctx, agent }
  } catch (error) {
    await ctx.fiber.dispose()
    const detail = error instanceof Error ? error.message : String(error)
    throw new EmbedError('START_FAILED', `The terminals cannot start: ${detail}`, { cause: error })
  }
}

/** Host services first, then the terminal family. */
async function mountAll(ctx: Context, options: ResolvedOptions): Promise<void> {
  await ctx.plugin(agents, {})
  await ctx.plugin(tools, options.tools)
  await ctx.plugin(jobs, options.jobs)
  await ctx.plugin(subprocess, options.subprocess)
  await ctx.plugin(sandboxPolicy, options.sandboxPolicy)
  await ctx.plugin(sandbox, options.sandbox)
  await ctx.plugin(terminal, options.terminal)
  await ctx.plugin(terminalBash, options.terminalBash)
  await ctx.plugin(toolTerminal, options.toolTerminal)
}

function forwardLogs(ctx: Context, onLog: (entry: LogEntry) => void): void {
  const exporter = {
    colors: false as const,
    levels: { default: 3 },
    export(message: Message) {
      onLog({ type: message.type, source: message.name, text: Logger.format(exporter, message) })
    },
  }
  ctx.logger.exporter(exporter)
}
