/**
 * The text that turns a plain interactive bash into ours. docs/shell-integration.md explains every part.
 *
 * It knows no secret: the nonce is read from the terminal, with echo off, as the very first thing. Rules for whoever edits it:
 * - only builtins, and no command substitution on the way to a prompt: a prompt costs no fork;
 * - every command that may fail stands in a condition, every variable has a default: `set -eu` of the user must not end the shell;
 * - what changes later lives in the array `__at`, because bash exports no arrays, whatever `set -a` says; the rest is set once;
 * - it must parse in bash 3.2, so newer syntax appears in quotes only.
 */
import type { ShellLevel } from './start.js'

export interface ScriptOptions {
  readonly loadUserRc: boolean
  readonly level: ShellLevel
}

const HANDOVER = `
unset -v PROMPT_COMMAND HISTFILE __at \${!__at_*}
set +o histexpand
IFS= read -rs -t 30 -p $'\\e]6973;nonce?\\a' __at_n
`

/**
 * Marks are put together from finished pieces of OSC sequences. The wrappers around the prompts only refer to them: a user who
 * exports PS1 exports no secret, and where the variables are missing, as in a child, the wrappers expand to nothing.
 */
const PIECES = `
__at_z=$'\\a'
__at_o=$'\\e]6973;'$__at_n';'
__at_p=$__at_o'prompt-start;'
__at_c=$__at_z$__at_o'cwd;'
__at_e=$__at_o'prompt-end'$__at_z
__at_k=$__at_o'continuation'$__at_z
__at_s=$__at_o'command-start;'
__at_d=$__at_o'command-end;'
__at_x=$__at_o'exiting;'
__at_2='\\[\${__at_e-}\\]'
__at_3='\\[\${__at_k-}\\]'
unset -v __at_n
`

/** Bash 5.1 and later: PS0 marks a command's start, and PROMPT_COMMAND is an array in which our element is the last one. */
const MODERN = `
__at_1='\\[\${__at_p:+$__at_p$?;\${LINENO-}$__at_c\${PWD@Q}$__at_z}\\]'
__at_0='\${__at_s:+$__at_s\${LINENO-};\${PROMPT_COMMAND[__at[0]]:=$__at_h}$__at_z}'
__at_h='{ __at_hook "$?"; } 61>&2 >/dev/null 2>&1'
__at=(91)
__at_hook() {
  builtin printf '%s' "$__at_d$1$__at_z" >&61
  __at_wrap
  __at_last
}
__at_last() {
  local keys
  keys=("\${!PROMPT_COMMAND[@]}")
  local last=\${keys[\${#keys[@]} - 1]}
  if [[ $last != "\${__at[0]}" ]]; then
    unset -v 'PROMPT_COMMAND[__at[0]]'
    __at[0]=$((last + 1))
    PROMPT_COMMAND[__at[0]]=$__at_h
  fi
}
__at_install() {
  PROMPT_COMMAND[91]=$__at_h
  __at_last
  __at_wrap
}
`

const WRAP = `
__at_wrap() {
  local text
  if [[ \${PS1-} != "$__at_1"*"$__at_2" ]]; then
    text=\${PS1-}
    text=\${text//"$__at_1"/}
    PS1=$__at_1\${text//"$__at_2"/}$__at_2
  fi
  if [[ \${PS2-} != "$__at_3"* ]]; then
    text=\${PS2-}
    PS2=$__at_3\${text//"$__at_3"/}
  fi
  if [[ \${PS0-} != "$__at_0"* ]]; then
    text=\${PS0-}
    PS0=$__at_0\${text//"$__at_0"/}
  fi
}
`

const LEAVE = `
__at_leave() {
  local byte end=$((SECONDS + 2))
  builtin printf '%s' "$__at_x$1$__at_z" >&61
  case $1 in
    129 | 143) return 0 ;;
  esac
  while ((SECONDS <= end)) && IFS= builtin read -rsn1 -t 2 -u 61 byte; do
    if [[ $byte = $'\\006' ]]; then break; fi
  done
  return 0
}
trap '{ __at_leave "$?"; } 61>&2 >/dev/null 2>&1' EXIT
`

const USER_RC = `
if [[ -r /etc/bash.bashrc ]]; then . /etc/bash.bashrc; fi
if [[ -r ~/.bashrc ]]; then . ~/.bashrc; fi
unset -v HISTFILE
set +o histexpand
`

const READLINE = `
bind 'set enable-bracketed-paste on' 2>/dev/null
bind 'set enable-active-region off' 2>/dev/null
`

export function renderScript(options: ScriptOptions): string {
  return [
    HANDOVER,
    PIECES,
    MODERN,
    WRAP,
    LEAVE,
    "PS1='$ '\nPS2='> '\n",
    options.loadUserRc ? USER_RC : '',
    READLINE,
    '__at_install\n',
  ].join('')
}
