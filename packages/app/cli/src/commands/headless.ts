/** `agent-terminals headless`: run prompts without a person, and write down everything as JSON lines. */
import { writeFileSync } from 'node:fs'
import type { SessionEvent } from '@agent-terminals/agents/contract'
import { exitCodeOf, runHeadless } from '@agent-terminals/headless'
import type { Command } from 'commander'
import { requireServices } from '../boot/require-services.js'
import { patchScript } from '../boot/script-patch.js'
import { withComposition } from '../boot/with-composition.js'
import type { CommandContext } from '../command-context.js'
import { defaultConfigFile } from '../default-config.js'
import { checkPrompts, checkRecordFile } from '../headless/check-options.js'
import { type Stdout, withStdout } from '../stdout.js'

export interface HeadlessOptions {
  readonly prompts: readonly string[]
  readonly configFile?: string | undefined
  readonly scriptFile?: string | undefined
  /** Where to write the run down as a script. */
  readonly recordFile?: string | undefined
  readonly isVerbose: boolean
}

async function recordRun(file: string, events: readonly SessionEvent[]): Promise<void> {
  const { recordScript } = await import('@agent-terminals/agent-loop')
  writeFileSync(file, `${JSON.stringify(recordScript(events), null, 2)}\n`)
}

/**
 * @returns the exit code by the outcome of the last prompt that ran.
 * @throws CliError `OPTION_INVALID`, before anything has run.
 */
export async function runHeadlessCommand(options: HeadlessOptions): Promise<number> {
  checkPrompts(options.prompts)
  if (options.recordFile !== undefined) checkRecordFile(options.recordFile)
  return withStdout((stdout) => runPrompts(options, stdout))
}

function runPrompts(options: HeadlessOptions, stdout: Stdout): Promise<number> {
  return withComposition({
    boot: {
      configFile: options.configFile ?? defaultConfigFile,
      isVerbose: options.isVerbose,
      patches: patchScript(options.scriptFile),
    },
    async run({ ctx }, signal) {
      requireServices(ctx, ['agents', 'agentLoop'])
      let events: readonly SessionEvent[] = []
      const outcome = await runHeadless(ctx, {
        cwd: process.cwd(),
        prompts: options.prompts,
        signal: AbortSignal.any([signal, stdout.lost]),
        write: (line) => stdout.write(line),
        onEnded: (recorded) => {
          events = recorded
        },
      })
      if (options.recordFile !== undefined) await recordRun(options.recordFile, events)
      return exitCodeOf(outcome)
    },
  })
}

export function addHeadlessCommand(program: Command, { exit, isVerbose }: CommandContext): void {
  program
    .command('headless')
    .description('run prompts without a person; session events as JSON lines on standard output')
    .argument('<prompts...>', 'prompts, run one after another')
    .option('--config <file>', 'composition to boot instead of the built-in one')
    .option('--script <file>', 'replay the tool calls of a script instead of asking a model')
    .option('--record <file>', 'write the calls of this run down as a script')
    .addHelpText(
      'after',
      '\nExamples:\n  agent-terminals headless "How much disk space is left?"\n  agent-terminals headless --script calls.json "go"',
    )
    .action(async (prompts: readonly string[], options: { config?: string; script?: string; record?: string }) => {
      exit(
        await runHeadlessCommand({
          prompts,
          configFile: options.config,
          scriptFile: options.script,
          recordFile: options.record,
          isVerbose: isVerbose(),
        }),
      )
    })
}
