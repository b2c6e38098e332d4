/** `agent-terminals demo`: a scripted agent on real programs, and the proof that nothing is left. */

import type { TurnOutcome } from '@agent-terminals/agent-loop/contract'
import type { Agent } from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/subprocess/contract'
import type { Command } from 'commander'
import { bootComposition, type Composition } from '../boot/boot.js'
import type { CommandContext } from '../command-context.js'
import { defaultConfigFile } from '../default-config.js'
import { findLeftovers, listProcesses } from '../demo/processes.js'
import { demoPrompts, demoScript } from '../demo/script.js'
import { type Stdout, withStdout } from '../stdout.js'
import { followSession } from '../transcript/live.js'
import { createPrinter, type Printer } from '../transcript/print.js'

export interface DemoOptions {
  readonly configFile?: string | undefined
  readonly isVerbose: boolean
}

function renderFailure(outcome: TurnOutcome): string | undefined {
  if (outcome.kind === 'completed') return undefined
  if (outcome.kind === 'failed') return `${outcome.code}: ${outcome.message}`
  return outcome.kind === 'cancelled' ? 'cancelled' : `stopped after ${outcome.steps} steps`
}

/** @returns what went wrong in the first chapter that failed. */
async function playChapters({ ctx }: Composition, agent: Agent, signal: AbortSignal): Promise<string | undefined> {
  for (const prompt of demoPrompts) {
    const failure = renderFailure(await ctx.agentLoop.run(agent, prompt, { signal }))
    if (failure !== undefined) return failure
  }
}

/** Let Ctrl-C and a polite kill end the demo through its own clean-up. */
function onInterrupt(handle: () => void): () => void {
  process.once('SIGINT', handle)
  process.once('SIGTERM', handle)
  return () => {
    process.off('SIGINT', handle)
    process.off('SIGTERM', handle)
  }
}

async function play(composition: Composition, printer: Printer, { write, lost }: Stdout): Promise<string | undefined> {
  const interrupted = new AbortController()
  const release = onInterrupt(() => {
    write('\nInterrupted; closing the terminals.\n')
    interrupted.abort(new Error('interrupted'))
  })
  try {
    const agent = await composition.ctx.agents.create({ cwd: process.cwd() })
    followSession(agent.session, printer, write)
    const failure = await playChapters(composition, agent, AbortSignal.any([interrupted.signal, lost]))
    await agent.dispose()
    return interrupted.signal.aborted ? 'interrupted' : failure
  } finally {
    release()
  }
}

/** @returns the exit code: 0 when every step gave what it must and nothing is left, 130 after an interrupt, 141 without a reader, otherwise 1. */
export function runDemo(options: DemoOptions): Promise<number> {
  return withStdout((stdout) => playDemo(options, stdout))
}

async function playDemo(options: DemoOptions, stdout: Stdout): Promise<number> {
  const { write } = stdout
  const startedAt = Date.now()
  const printer = createPrinter(process.stdout.isTTY === true && process.env.NO_COLOR === undefined)
  const composition = await bootComposition({
    configFile: options.configFile ?? defaultConfigFile,
    isVerbose: options.isVerbose,
    patches: [{ id: 'agent-loop', config: { model: { kind: 'script', script: demoScript } } }],
  })
  const { hostTag } = composition.ctx.subprocess
  let failure: string | undefined
  try {
    failure = await play(composition, printer, stdout)
  } finally {
    await composition.dispose()
  }
  const leftovers = findLeftovers(await listProcesses(), { rootPid: process.pid, hostTag })
  write('\n')
  write(printer.verdict(failure === undefined, failure ?? `${demoPrompts.length} chapters, every step as promised`))
  write(
    printer.verdict(
      leftovers.length === 0,
      leftovers.length === 0
        ? 'process table clean: nothing that was started is still running'
        : `left running: ${leftovers.map(({ pid, command }) => `${pid} ${command.slice(0, 60)}`).join('; ')}`,
    ),
  )
  write(`${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`)
  if (failure === 'interrupted') return 130
  return failure === undefined && leftovers.length === 0 ? 0 : 1
}

export function addDemoCommand(program: Command, { exit, isVerbose }: CommandContext): void {
  program
    .command('demo')
    .description('let a scripted agent drive real programs, and prove that nothing is left')
    .option('--config <file>', 'composition to boot instead of the built-in one')
    .addHelpText('after', '\nExample:\n  agent-terminals demo')
    .action(async ({ config }: { config?: string }) => {
      exit(await runDemo({ configFile: config, isVerbose: isVerbose() }))
    })
}
