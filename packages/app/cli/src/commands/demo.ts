/** `agent-terminals demo`: a scripted agent on real programs, and the proof that nothing is left. */

import type { TurnOutcome } from '@agent-terminals/agent-loop/contract'
import type { Agent } from '@agent-terminals/agents/contract'
import type { Command } from 'commander'
import type { Composition } from '../boot/boot.js'
import { renderStillRunning, withComposition } from '../boot/with-composition.js'
import type { CommandContext } from '../command-context.js'
import { defaultConfigFile } from '../default-config.js'
import { demoPrompts, demoScript } from '../demo/script.js'
import { EXIT_CODES } from '../exit-codes.js'
import { type Stdout, withStdout } from '../stdout.js'
import { followSession } from '../transcript/live.js'
import { createPrinter } from '../transcript/print.js'

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

/** @returns the exit code: 0 when every step gave what it must and nothing is left, 130 after an interrupt, 141 without a reader, otherwise 1. */
export function runDemo(options: DemoOptions): Promise<number> {
  return withStdout((stdout) => playDemo(options, stdout))
}

function playDemo(options: DemoOptions, { write, lost }: Stdout): Promise<number> {
  const startedAt = Date.now()
  const printer = createPrinter(process.stdout.isTTY === true && process.env.NO_COLOR === undefined)
  let failure: string | undefined
  return withComposition({
    boot: {
      configFile: options.configFile ?? defaultConfigFile,
      isVerbose: options.isVerbose,
      patches: [{ id: 'agent-loop', config: { model: { kind: 'script', script: demoScript } } }],
    },
    async run(composition, signal) {
      const agent = await composition.ctx.agents.create({ cwd: process.cwd() })
      followSession(agent.session, printer, write)
      failure = await playChapters(composition, agent, AbortSignal.any([signal, lost]))
      await agent.dispose()
      return failure === undefined ? EXIT_CODES.OK : EXIT_CODES.FAILED
    },
    async conclude({ code, isInterrupted, findOwnProcesses }) {
      if (isInterrupted) failure = 'interrupted'
      const stillRunning = await findOwnProcesses()
      write('\n')
      write(printer.verdict(failure === undefined, failure ?? `${demoPrompts.length} chapters, every step as promised`))
      write(
        printer.verdict(
          stillRunning.length === 0,
          stillRunning.length === 0
            ? 'process table clean: nothing that was started is still running'
            : renderStillRunning(stillRunning),
        ),
      )
      write(`${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`)
      if (stillRunning.length > 0) return EXIT_CODES.FAILED
      return isInterrupted ? EXIT_CODES.INTERRUPTED : code
    },
  })
}

export function addDemoCommand(program: Command, { exit, isVerbose }: CommandContext): void {
  program
    .command('demo')
    .description('let a scripted agent drive real programs, and prove that nothing is left')
    .option('--config <file>', 'composition to boot instead of the built-in one')
    .addHelpText('after', '\nExamples:\n  agent-terminals demo\n  agent-terminals demo --config my-composition.yml')
    .action(async ({ config }: { config?: string }) => {
      exit(await runDemo({ configFile: config, isVerbose: isVerbose() }))
    })
}
