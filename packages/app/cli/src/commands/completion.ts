/** `agent-terminals completion`: a script that teaches a shell the words of this command line. */
import { Argument, type Command } from 'commander'
import type { CommandContext } from '../command-context.js'
import { renderBash, renderZsh } from '../completion/bash.js'
import { renderFish } from '../completion/fish.js'
import { readVocabulary } from '../completion/vocabulary.js'
import { EXIT_CODES } from '../exit-codes.js'
import { withStdout } from '../stdout.js'

const RENDERERS = { bash: renderBash, fish: renderFish, zsh: renderZsh } as const

export function addCompletionCommand(program: Command, { exit }: CommandContext): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(RENDERERS)))
    .addHelpText(
      'after',
      `
Examples:
  source <(agent-terminals completion bash)                                            # in ~/.bashrc
  source <(agent-terminals completion zsh)                                             # in ~/.zshrc
  agent-terminals completion fish > ~/.config/fish/completions/agent-terminals.fish`,
    )
    .action(async (shell: keyof typeof RENDERERS) => {
      const script = RENDERERS[shell](readVocabulary(program))
      exit(
        await withStdout(async ({ write }) => {
          write(script)
          return EXIT_CODES.OK
        }),
      )
    })
}
