/** The command line: parse, run, turn whatever happened into an exit code. Exit codes are listed in docs/cli.md. */
import { CommanderError } from 'commander'
import { isCliError } from './errors.js'
import { createProgram } from './program.js'

/**
 * Run one command. Sets `process.exitCode`; the process ends by itself when nothing is left to do.
 * @param argv - arguments without the interpreter and the script.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const program = createProgram((code) => {
    process.exitCode = code
  })
  try {
    await program.parseAsync(argv as string[], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2
      return
    }
    process.exitCode = 1
    const isVerbose = program.opts<{ verbose?: boolean }>().verbose === true
    process.stderr.write(`agent-terminals: ${renderError(error, isVerbose)}\n`)
  }
}

function renderError(error: unknown, isVerbose: boolean): string {
  if (!(error instanceof Error)) return String(error)
  if (isVerbose) return error.stack ?? error.message
  // An error of ours says what to do; anything else is a defect, and its stack is what a report needs.
  return isCliError(error) ? error.message : `${error.message}\nRun it again with --verbose for details.`
}
