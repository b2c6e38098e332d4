/** A real composition: host services, the terminal family, tools, jobs and the AHP host, without a sandbox. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@agent-terminals/agents'
import * as ahp from '@agent-terminals/ahp/host'
import * as jobs from '@agent-terminals/jobs'
import * as sandboxPolicy from '@agent-terminals/sandbox/policy'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import * as toolTerminal from '@agent-terminals/tool-terminal'
import * as tools from '@agent-terminals/tools'
import { Context, Logger } from '@deepseek-ai/cordis'

/** Shorter than the defaults where a program that resists would only make the run wait. */
const TERMINAL_BASH = { cancelGraceMs: 300, disposeGraceMs: 500, idleSilenceMs: 2_000, timeoutMs: 20_000 }

/** What it keeps for clients that come back is bounded, but by more than all the rest together: growth would not show beside it. */
const AHP = { replayUnits: 65_536 }

/** @param onLog - told every error and warning that the parts log. */
export async function buildHouse(onLog) {
  const ctx = new Context()
  const exporter = {
    colors: false,
    levels: { default: 3 },
    export: (message) => {
      if (message.type === 'error' || message.type === 'warn') onLog(message.type, Logger.format(exporter, message))
    },
  }
  ctx.logger.exporter(exporter)
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'soak-')))
  await ctx.plugin(agents, {})
  await ctx.plugin(tools, {})
  await ctx.plugin(jobs, {})
  await ctx.plugin(subprocess, {})
  await ctx.plugin(sandboxPolicy, { mode: 'danger-full-access' })
  await ctx.plugin(terminal, {})
  await ctx.plugin(terminalBash, TERMINAL_BASH)
  await ctx.plugin(toolTerminal, {})
  await ctx.plugin(ahp, AHP)
  return {
    ctx,
    cwd,
    hostTag: ctx.subprocess.hostTag,
    async close() {
      await ctx.fiber.dispose()
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}
