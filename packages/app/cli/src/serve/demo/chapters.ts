/** What the agent of `serve --demo` does while people watch. Nothing here is a promise: what a program answers only decides how it goes on. */
import type { TerminalState } from '@agent-terminals/terminal'

export interface Step {
  readonly text: string
  /** In which state the agent goes on. Anything else, and it leaves the chapter. Default: at the shell's prompt. */
  readonly until?: TerminalState
  /** Time to read what is on the screen before the agent types. Default: 1.5 s. */
  readonly pauseMs?: number
}

export interface Chapter {
  /** Display name of the terminal in which it happens. */
  readonly terminal: string
  readonly steps: readonly Step[]
}

const python = (text: string, pauseMs?: number): Step => ({
  text,
  until: 'line',
  ...(pauseMs === undefined ? {} : { pauseMs }),
})

const BAR = [
  'for i in $(seq 0 2 100); do',
  `printf '\\rbuilding %3d%%  \\033[32m%s\\033[0m' "$i" "$(printf '%*s' $((i / 2)) '' | tr ' ' '#')"; sleep 0.12;`,
  'done; echo',
].join(' ')

export const chapters: readonly Chapter[] = [
  {
    terminal: 'repl',
    steps: [
      python('python3 -q'),
      python('import random, statistics'),
      python('throws = [random.randint(1, 6) + random.randint(1, 6) for _ in range(500)]'),
      python('round(statistics.mean(throws), 2)'),
      python('print("\\n".join(f"{n:2} {\'*\' * throws.count(n)}" for n in range(2, 13)))', 2_000),
      python('throws / 2', 2_500),
      python('max(throws)', 2_500),
      { text: 'exit()' },
    ],
  },
  {
    terminal: 'repo',
    steps: [
      { text: 'rm -rf garden && git init -q -b main garden && cd garden' },
      { text: 'git config user.name "Demo Agent" && git config user.email demo@localhost' },
      { text: `printf '%s\\n' 'beans' 'peas' > beds.txt && git add . && git commit -qm 'Sow the first beds'` },
      { text: `echo 'carrots' >> beds.txt && git --no-pager diff` },
      { text: `git commit -qam 'Make room for carrots' && git --no-pager log --oneline --graph`, pauseMs: 2_500 },
      { text: 'git switch -qc orchard && echo pears > trees.txt && git status --short' },
      { text: 'cd ..' },
    ],
  },
  {
    terminal: 'build',
    steps: [
      { text: BAR },
      { text: `read -p 'Deploy to production? [y/N] ' answer`, until: 'line' },
      { text: 'n', pauseMs: 4_000 },
      { text: 'echo "You said $answer: nothing was deployed."' },
    ],
  },
]
