/** How our bash is started: command line, environment, and the secret that its marks carry. */
import { renderScript, type ShellLevel } from './script/script.js'

export interface ShellStartOptions {
  /** Absolute path of bash. */
  readonly shell: string
  /** Run the user's rc files before our integration. */
  readonly loadUserRc: boolean
  readonly level?: ShellLevel
}

/** What to start, ready to be wrapped once by a sandbox. Holds no secret. */
export interface ShellStart {
  readonly argv: readonly [file: string, ...args: string[]]
  /** To merge over the base environment; `undefined` removes a name. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Inherited settings that would change how bash starts or draws its prompt, or end an idle shell (`TMOUT`). */
const REMOVED = [
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'POSIXLY_CORRECT',
  'PS0',
  'PS1',
  'PS2',
  'PS4',
  'TMOUT',
] as const

/**
 * The integration travels in PROMPT_COMMAND, which bash runs before its first prompt and which the script removes first of all: no
 * file has to be readable inside a sandbox. An empty HISTFILE keeps bash from loading the user's history.
 */
export function resolveShellStart(options: ShellStartOptions): ShellStart {
  const script = renderScript({ loadUserRc: options.loadUserRc, level: options.level ?? 'auto' })
  return {
    argv: [options.shell, '--noprofile', '--norc', '-i'],
    env: {
      ...Object.fromEntries(REMOVED.map((name) => [name, undefined])),
      PROMPT_COMMAND: script,
      HISTFILE: '',
      PIPESTATUS: '',
    },
  }
}
