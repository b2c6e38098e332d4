/** `agent-terminals doctor`: what works here, what does not, what that costs, and how to mend it. */
import type { Command } from 'commander'
import { createColors } from 'picocolors'
import type { CommandContext } from '../command-context.js'
import { defaultConfigFile } from '../default-config.js'
import { examine } from '../doctor/examine.js'
import { renderCheck, renderVerdict } from '../doctor/render.js'
import { type Check, createReport } from '../doctor/report.js'
import { EXIT_CODES } from '../exit-codes.js'
import { type Stdout, withStdout } from '../stdout.js'

export interface DoctorOptions {
  readonly configFile?: string | undefined
  readonly isVerbose: boolean
  readonly isJson: boolean
  readonly isEndingLeftovers: boolean
}

/** @returns the exit code: 1 when anything failed, 130 after an interrupt, otherwise 0; warnings do not count. */
export function runDoctor(options: DoctorOptions): Promise<number> {
  return withStdout((stdout) => examineAll(options, stdout))
}

async function examineAll(options: DoctorOptions, stdout: Stdout): Promise<number> {
  const color = createColors(process.stdout.isTTY === true && process.env.NO_COLOR === undefined)
  const paint = { ok: color.green, warn: color.yellow, fail: color.red }
  const checks: Check[] = []
  const leftovers = await examine({
    configFile: options.configFile ?? defaultConfigFile,
    isVerbose: options.isVerbose,
    isEndingLeftovers: options.isEndingLeftovers,
    signal: stdout.lost,
    report(check) {
      checks.push(check)
      if (!options.isJson) stdout.write(`${renderCheck(check, (status, mark) => paint[status](mark))}\n`)
    },
  })
  if (leftovers === undefined) return EXIT_CODES.INTERRUPTED
  const report = createReport(checks, leftovers)
  stdout.write(options.isJson ? `${JSON.stringify(report, null, 2)}\n` : `\n${renderVerdict(checks)}\n`)
  return report.ok ? EXIT_CODES.OK : EXIT_CODES.FAILED
}

export function addDoctorCommand(program: Command, { exit, isVerbose }: CommandContext): void {
  program
    .command('doctor')
    .description('say what works here, what does not, what that costs, and how to mend it')
    .option('--config <file>', 'composition to examine instead of the built-in one')
    .option('--json', 'print one report as JSON')
    .option('--end-leftovers', 'end processes of earlier runs whose host has gone')
    .addHelpText('after', '\nExamples:\n  agent-terminals doctor\n  agent-terminals doctor --json --end-leftovers')
    .action(async (options: { config?: string; json?: boolean; endLeftovers?: boolean }) => {
      exit(
        await runDoctor({
          configFile: options.config,
          isVerbose: isVerbose(),
          isJson: options.json === true,
          isEndingLeftovers: options.endLeftovers === true,
        }),
      )
    })
}
