/**
 * The text that turns a plain interactive bash into ours. docs/shell-integration.md explains every part.
 *
 * It knows no secret: the nonce is read from the terminal, with echo off, as the very first thing. Rules for whoever edits it:
 * - only builtins, and no command substitution on the way to a prompt: a prompt costs no fork;
 * - what may fail stands in a condition and what may be unset has a default: `set -eu` of the user must not end the shell;
 * - what changes later lives in the array `__at`, because bash exports no arrays, whatever `set -a` says; the rest is set once;
 * - it must parse in bash 3.2, so newer syntax appears in quotes only;
 * - what runs at a prompt runs in `{ …; } 9>&2 >/dev/null 2>&1`: marks go to descriptor 9, and traces (`set -x`) and what the user's
 *   DEBUG trap prints for our commands go nowhere.
 *
 * State: `__at[0]` index of our element of PROMPT_COMMAND, `[1]` quoted directory, `[2]` a command may start, `[3]` our DEBUG trap
 * ran, `[4]` such a trap can be found out, `[5]` the user has called `trap`, `[6]` the code of the last command (old bash).
 */
import { LEAVE } from './leave.js'
import { LEGACY } from './legacy.js'
import { MODERN } from './modern.js'
import { WRAP } from './wrap.js'

/** Which bash to assume: `auto` asks the shell itself, `3.2` uses only what that release has (the shell of macOS). */
export type ShellLevel = 'auto' | '3.2'

export interface ScriptOptions {
  readonly loadUserRc: boolean
  readonly level: ShellLevel
}

const HANDOVER = `
unset -v PROMPT_COMMAND HISTFILE MAILCHECK __at \${!__at_*}
export -n PIPESTATUS
set +o histexpand
IFS= builtin read -rs -t 30 -p $'\\e]6973;nonce?\\a' __at_n
`

const PIECES = `
__at=()
__at_z=$'\\a'
__at_o=$'\\e]6973;'$__at_n';'
__at_p=$__at_o'prompt-start;'
__at_c=$__at_z$__at_o'cwd;'
__at_e=$__at_o'prompt-end'$__at_z
__at_k=$__at_o'continuation'$__at_z
__at_s=$__at_o'command-start;'
__at_d=$__at_o'command-end;'
__at_x=$__at_o'exiting;'
unset -v __at_n
PS1='$ '
PS2='> '
`

/**
 * The files an interactive bash that is no login shell reads; the first is Debian's name of the system-wide one. Their hooks run
 * once here, because bash is already past its own look at PROMPT_COMMAND for the first prompt.
 */
const USER_RC = `
builtin printf '%s' "$__at_o"'user-rc'"$__at_z" >&2
if [[ -r /etc/bash.bashrc ]]; then . /etc/bash.bashrc; fi
if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi
unset -v HISTFILE
set +o histexpand
if [[ -n \${PROMPT_COMMAND[*]-} ]]; then
  for __at_f in "\${PROMPT_COMMAND[@]}"; do eval "$__at_f"; done
fi
`

const READLINE = `
bind 'set enable-bracketed-paste on'
bind 'set enable-active-region off'
__at_install
`

export function renderScript(options: ScriptOptions): string {
  const hooks =
    options.level === '3.2'
      ? LEGACY
      : `if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then ${MODERN} else ${LEGACY} fi`
  const body = [PIECES, WRAP, hooks, LEAVE, options.loadUserRc ? USER_RC : '', `{ ${READLINE} } 2>/dev/null`]
  return `${HANDOVER}if [[ -n $__at_n ]]; then ${body.join('\n')}\nfi`
}
