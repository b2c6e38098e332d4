/** Completion for bash, from 3.2 on. bash(1), "Programmable Completion". Pure. */
import type { OptionWords, Vocabulary } from './vocabulary.js'

const namesOf = (options: readonly OptionWords[]) => options.flatMap(({ names }) => names)

/** `-o default` lets bash complete file names where this gives nothing. */
export function renderBash({ program, commands, common }: Vocabulary): string {
  const valueCases = commands.flatMap(({ name, options }) =>
    options.flatMap(({ names, value }) => {
      const pattern = names.map((each) => `${name}:${each}`).join(' | ')
      if (value.kind === 'words') return [`    ${pattern}) words='${value.words.join(' ')}' ;;`]
      return value.kind === 'file' ? [`    ${pattern}) return ;;`] : []
    }),
  )
  const commandCases = commands.map(({ name, options, arguments: words }) => {
    const all = [...words, ...namesOf(options), ...namesOf(common)]
    return `    ${name}:*) words='${all.join(' ')}' ;;`
  })
  const names = commands.map(({ name }) => name)
  return `# bash completion for ${program}
_agent_terminals() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' words='' index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      ${names.join(' | ')}) command="\${COMP_WORDS[index]}"; break ;;
    esac
  done
  case "$command:$previous" in
${valueCases.join('\n')}
${commandCases.join('\n')}
    *) words='${[...names, ...namesOf(common)].join(' ')}' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _agent_terminals ${program}
`
}

/** zsh runs completions of bash. zshcompsys(1), "bashcompinit". */
export function renderZsh(vocabulary: Vocabulary): string {
  return `(( $+functions[compdef] )) || { autoload -U +X compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${renderBash(vocabulary)}`
}
