/** The family on a host of foreign make, with every foreign object recorded. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@agent-terminals/agents/contract'
import type { JobsService } from '@agent-terminals/jobs/contract'
import type { SandboxPolicyService, SandboxService } from '@agent-terminals/sandbox/contract'
import type { SubprocessService } from '@agent-terminals/subprocess/contract'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import * as toolTerminal from '@agent-terminals/tool-terminal'
import type { ToolsService } from '@agent-terminals/tools/contract'
import { Context } from '@deepseek-ai/cordis'
import { createAgents, createJobs, createSandbox, createSandboxPolicy, createTools } from '../src/host.js'
import { createSubprocess, type NeededSubprocess, type NeededTerminal } from '../src/subprocess.js'
import { createRecorder } from './recording.js'

export async function buildForeignHouse() {
  const root = new Context()
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'foreign-')))
  const recorder = createRecorder()
  const { record } = recorder
  const opened: NeededTerminal[] = []

  const subprocess = createSubprocess()
  const watched: NeededSubprocess = {
    ...subprocess,
    async spawnTerminal(spec) {
      const handle = await subprocess.spawnTerminal(spec)
      opened.push(handle)
      return record('SubprocessTerminal', handle)
    },
  }
  const policy = createSandboxPolicy((each) => record('SandboxPolicy', each))
  const sandbox = createSandbox((each) => record('ConfinedCommand', each))
  const jobs = createJobs((each) => record('JobHandle', each))
  const tools = createTools((each) => record('ToolExecution', each))
  const agents = createAgents(root, (each) => record('Agent', each))

  // A foreign host offers less than the contracts say: what is missing is exactly what the family does without.
  root.provide('subprocess', record('ctx.subprocess', watched) as SubprocessService)
  root.provide('sandboxPolicy', record('ctx.sandboxPolicy', policy.needed) as SandboxPolicyService)
  root.provide('sandbox', record('ctx.sandbox', sandbox.needed) as SandboxService)
  root.provide('jobs', record('ctx.jobs', jobs.needed) as JobsService)
  root.provide('tools', record('ctx.tools', tools.needed) as ToolsService)

  await root.plugin(terminal, terminal.Config.parse({}))
  await root.plugin(terminalBash, terminalBash.Config.parse({ cancelGraceMs: 300 }))
  await root.plugin(toolTerminal, toolTerminal.Config.parse({}))

  return {
    root,
    cwd,
    recorder,
    opened,
    policy,
    sandbox,
    jobs,
    tools,
    agents,
    createAgent: (): Promise<Agent> => agents.needed.create({ cwd }),
    async dispose() {
      await root.fiber.dispose()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}
