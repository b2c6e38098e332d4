import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { runDemo } from './commands/demo.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/**
 * The commands and their options.
 * @param exit - receives the exit code of the command that ran.
 */
export function createProgram(exit: (code: number) => void): Command {
  const program = new Command('agent-terminals')
    .description('Persistent terminals for AI agents.')
    .version(version)
    .option('--verbose', 'print what plugins log, and stacks of errors, to standard error')
    .exitOverride()
    .showHelpAfterError('(agent-terminals --help shows what there is)')

  program
    .command('demo')
    .description('let a scripted agent drive real programs, and prove that nothing is left')
    .option('--config <file>', 'composition to boot instead of the built-in one')
    .addHelpText('after', '\nExample:\n  agent-terminals demo')
    .action(async ({ config }: { config?: string }) => {
      exit(await runDemo({ configFile: config, isVerbose: program.opts<{ verbose?: boolean }>().verbose === true }))
    })
  return program
}
