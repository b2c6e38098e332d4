/** The words of the command line, read from the commands themselves, as plain data for the shells. */
import type { Command, Option } from 'commander'

export interface OptionWords {
  readonly names: readonly string[]
  readonly description: string
  /** What follows the option: nothing, one of a few words, or something that the shell completes as a file name. */
  readonly value:
    | { readonly kind: 'none' }
    | { readonly kind: 'words'; readonly words: readonly string[] }
    | { readonly kind: 'file' }
}

export interface CommandWords {
  readonly name: string
  readonly description: string
  readonly options: readonly OptionWords[]
  /** Words that may stand as its argument. */
  readonly arguments: readonly string[]
}

export interface Vocabulary {
  readonly program: string
  readonly commands: readonly CommandWords[]
  /** Options of every command. */
  readonly common: readonly OptionWords[]
}

function toWords({ short, long, description, required, argChoices }: Option): OptionWords {
  return {
    names: [short, long].filter((name) => name !== undefined),
    description,
    value: argChoices ? { kind: 'words', words: argChoices } : required ? { kind: 'file' } : { kind: 'none' },
  }
}

export function readVocabulary(program: Command): Vocabulary {
  const help: OptionWords = { names: ['-h', '--help'], description: 'show help', value: { kind: 'none' } }
  return {
    program: program.name(),
    common: [...program.options.map(toWords), help],
    commands: program.commands.map((command) => ({
      name: command.name(),
      description: command.description(),
      options: command.options.map(toWords),
      arguments: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    })),
  }
}
