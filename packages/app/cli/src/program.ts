import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { CommandContext } from './command-context.js'
import { addAcpCommand } from './commands/acp.js'
import { addCompletionCommand } from './commands/completion.js'
import { addDemoCommand } from './commands/demo.js'
import { addDoctorCommand } from './commands/doctor.js'
import { addHeadlessCommand } from './commands/headless.js'
import { addMcpCommand } from './commands/mcp.js'
import { addServeCommand } from './commands/serve.js'
import { EXIT_MEANINGS } from './exit-codes.js'

export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

/** One file per command; each adds itself with its options and help. */
const commands: readonly ((program: Command, context: CommandContext) => void)[] = [
  addDemoCommand,
  addDoctorCommand,
  addAcpCommand,
  addHeadlessCommand,
  addMcpCommand,
  addServeCommand,
  addCompletionCommand,
]

const AFTER_HELP = `
Examples:
  agent-terminals demo                    watch an agent drive real programs
  agent-terminals serve --demo            the same in a browser, again and again
  agent-terminals mcp --root ~/project    terminals for an MCP client
  agent-terminals doctor                  what works here, and what does not

Exit codes:
${EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`).join('\n')}`

export function createProgram(exit: (code: number) => void): Command {
  const program = new Command('agent-terminals')
    .description('Persistent terminals for AI agents.')
    .version(version)
    .option('--verbose', 'print what plugins log, and stacks of errors, to standard error')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', AFTER_HELP)
    .exitOverride()
    .showHelpAfterError('(agent-terminals --help shows what there is)')
  const isVerbose = () => program.opts<{ verbose?: boolean }>().verbose === true
  for (const add of commands) add(program, { exit, isVerbose })
  return program
}
