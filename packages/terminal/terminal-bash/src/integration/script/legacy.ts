/**
 * Bash before 5.1, above all 3.2: no PS0 and no array of hooks. A DEBUG trap marks the start of a command, and PROMPT_COMMAND has our
 * first line, the user's text, and our last line. A replaced PROMPT_COMMAND is put back, around the user's, by the trap.
 *
 * A user's own DEBUG trap is left alone. Whether one is set is found out without a fork: `trap -p` into a closed output fails exactly
 * when there is something to print; where it does not (tried once), a trap that is not ours is taken for the user's.
 */
export const LEGACY = `
__at_1='\\[\${__at_p:+$__at_p$?;\${LINENO-};$((__at[2]=1));\${PIPESTATUS[0]:=0}$__at_c\${__at[1]-}$__at_z}\\]'
__at_0=
__at_h='{ __at_first "$?"; } 9>&2 >/dev/null 2>&1'
__at_t='{ __at_last; } 9>&2 >/dev/null 2>&1'
__at_g='{ __at_debug "$_"; } 9>&2 >/dev/null 2>&1'
__at_first() {
  __at[6]=$1
  if [[ -t 9 ]]; then builtin printf '%s' "$__at_d$1$__at_z" >&9; fi
  case $- in
    *e*) return 0 ;;
  esac
  return "$1"
}
__at_last() {
  local directory
  builtin printf -v directory %q "$PWD"
  __at[1]=$directory
  __at_wrap
  if [[ -z \${__at[3]-} ]]; then __at_arm; fi
  __at[3]=
  if [[ -n \${__at[6]-} && ! -t 9 ]]; then __at_unseen "\${__at[6]}"; fi
  __at[6]=
}
__at_arm() {
  if [[ -n \${__at[4]-} ]] && builtin trap -p DEBUG >&-; then builtin trap "$__at_g" DEBUG; fi
}
__at_debug() {
  __at[3]=1
  if [[ -n \${COMP_LINE-} ]]; then return 0; fi
  if [[ -n \${__at[2]-} ]]; then
    __at[2]=
    builtin printf '%s' "$__at_s;$__at_z" >&9
  fi
  __at_surround
}
__at_surround() {
  local text=\${PROMPT_COMMAND-}
  if [[ $text != "$__at_h"*"$__at_t" ]]; then
    text=\${text//"$__at_h"$'\\n'/}
    text=\${text//$'\\n'"$__at_t"/}
    PROMPT_COMMAND=$__at_h$'\\n'\${text:+$text$'\\n'}$__at_t
  fi
}
__at_install() {
  __at_surround
  if builtin trap -p DEBUG >&-; then builtin trap "$__at_g" DEBUG; fi
  if ! builtin trap -p DEBUG >&-; then __at[4]=1; fi
  __at_last
}
`
