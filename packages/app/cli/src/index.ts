/** The command line: parse, run, turn whatever happened into an exit code.  */
import { CommanderError } from 'commander'
import { isCliError } from './errors.js'
import { EXIT_CODES } from './exit-codes.js'
import { createProgram } from './program.js'
import { tell } from './tell.js'

/**
 * Run one command. Sets `process.exitCode`; the process ends by itself when nothing is left to do.
 * @param argv - arguments without the interpreter and the script.
 */
export async function main(argv: readonly string[]): Promise<void> {
  // A terminal that has gone must not end the command in the middle of its clean-up.
  process.stderr.on('error', () => undefined)
  const program = createProgram((code) => {
    process.exitCode = code
  })
  try {
    await program.parseAsync(argv as string[], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT_CODES.OK : EXIT_CODES.USAGE
      return
    }
    process.exitCode = isCliError(error) && error.code === 'OPTION_INVALID' ? EXIT_CODES.USAGE : EXIT_CODES.FAILED
    const isVerbose = program.opts<{ verbose?: boolean }>().verbose === true
    tell(renderError(error, isVerbose))
  }
}

function renderError(error: unknown, isVerbose: boolean): string {
  if (!(error instanceof Error)) return String(error)
  if (isVerbose) return error.stack ?? error.message
  // An error of ours says what to do; anything else is a defect, and its stack is what a report needs.
  return isCliError(error) ? error.message : `${error.message}\nRun it again with --verbose for details.`
}
