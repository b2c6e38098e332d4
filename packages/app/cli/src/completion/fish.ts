/** Completion for fish. fish-completions(7). Pure. */
import type { OptionWords, Vocabulary } from './vocabulary.js'

const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

function renderOption({ names, description, value }: OptionWords): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ')
  const takes = {
    none: '',
    file: ' -r -F',
    words: value.kind === 'words' ? ` -x -a ${quote(value.words.join(' '))}` : '',
  }
  return `${flags}${takes[value.kind]} -d ${quote(description)}`
}

export function renderFish({ program, commands, common }: Vocabulary): string {
  const start = `complete -c ${program}`
  const lines = [
    `# fish completion for ${program}`,
    `${start} -f`,
    ...commands.map(({ name, description }) => `${start} -n __fish_use_subcommand -a ${name} -d ${quote(description)}`),
    ...common.map((option) => `${start} ${renderOption(option)}`),
    ...commands.flatMap(({ name, options, arguments: words }) => {
      const within = `${start} -n ${quote(`__fish_seen_subcommand_from ${name}`)}`
      return [
        ...(words.length > 0 ? [`${within} -a ${quote(words.join(' '))}`] : []),
        ...options.map((option) => `${within} ${renderOption(option)}`),
      ]
    }),
  ]
  return `${lines.join('\n')}\n`
}
