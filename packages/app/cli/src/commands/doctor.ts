/** `agent-terminals doctor`: what works here, what does not, and how to mend it. */
import type { Command } from 'commander'
import { createColors } from 'picocolors'
import { bootComposition } from '../boot/boot.js'
import type { CommandContext } from '../command-context.js'
import { defaultConfigFile } from '../default-config.js'
import { type Check, renderChecks } from '../doctor/check.js'
import { checkNode, checkPtyLibrary } from '../doctor/host.js'
import { checkSandbox, checkTerminal } from '../doctor/live.js'
import { type Stdout, withStdout } from '../stdout.js'

export interface DoctorOptions {
  readonly configFile?: string | undefined
  readonly isVerbose: boolean
  readonly isJson: boolean
}

async function checkComposition(options: DoctorOptions): Promise<readonly Check[]> {
  const configFile = options.configFile ?? defaultConfigFile
  const name = 'composition'
  try {
    const { ctx, dispose } = await bootComposition({ configFile, isVerbose: options.isVerbose })
    try {
      const started: Check = { name, status: 'ok', detail: configFile }
      return [started, ...(await checkSandbox(ctx)), ...(await checkTerminal(ctx))]
    } finally {
      await dispose()
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return [{ name, status: 'fail', detail, advice: 'Mend the fields or plugins named here.' }]
  }
}

/** @returns the exit code: 1 when anything failed, otherwise 0; warnings do not count. */
export function runDoctor(options: DoctorOptions): Promise<number> {
  return withStdout((stdout) => examine(options, stdout))
}

async function examine(options: DoctorOptions, stdout: Stdout): Promise<number> {
  const checks = [checkNode(process.versions.node), checkPtyLibrary(), ...(await checkComposition(options))]
  const color = createColors(process.stdout.isTTY === true && process.env.NO_COLOR === undefined)
  const paint = { ok: color.green, warn: color.yellow, fail: color.red }
  const text = options.isJson
    ? JSON.stringify(checks, null, 2)
    : renderChecks(checks, (status, mark) => paint[status](mark))
  stdout.write(`${text}\n`)
  return checks.some(({ status }) => status === 'fail') ? 1 : 0
}

export function addDoctorCommand(program: Command, { exit, isVerbose }: CommandContext): void {
  program
    .command('doctor')
    .description('say what works here, what does not, and how to mend it')
    .option('--config <file>', 'composition to examine instead of the built-in one')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExample:\n  agent-terminals doctor --json')
    .action(async ({ config, json }: { config?: string; json?: boolean }) => {
      exit(await runDoctor({ configFile: config, isVerbose: isVerbose(), isJson: json === true }))
    })
}
