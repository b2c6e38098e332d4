/**
 * Bash 5.1 and later. PS0 marks the start of a command. Our hook is the last element of the array PROMPT_COMMAND, so that a user's
 * `PROMPT_COMMAND=…` (which sets element 0) leaves it alone and whatever sets PS1 has run before it. If all elements are replaced,
 * PS0 puts ours back when the next command starts (`:=`); PS1 and PS0 themselves are put back by the hook.
 *
 * Bash saves PIPESTATUS around PROMPT_COMMAND. Before the very first command there is none to save, and an array restored from nothing
 * stays empty for ever (5.2.15). So PIPESTATUS comes from the environment as an empty scalar, which is left alone, and the first PS0
 * turns it into the array.
 */
export const MODERN = `
__at_1='\\[\${__at_p:+$__at_p$?;\${LINENO-}$__at_c\${PWD@Q}$__at_z}\\]'
__at_0='\${__at_s:+$__at_s\${LINENO-};$?;\${PROMPT_COMMAND[__at[0]]:=$__at_h};\${PIPESTATUS[0]:=0}$__at_z}'
__at_h='{ __at_hook "$?"; } 9>&2 >/dev/null 2>&1'
__at[0]=91
__at_hook() {
  if [[ -t 9 ]]; then builtin printf '%s' "$__at_d$1$__at_z" >&9; fi
  __at_wrap
  __at_move_last
  if [[ ! -t 9 ]]; then __at_unseen "$1"; fi
}
__at_move_last() {
  local indices last
  indices=("\${!PROMPT_COMMAND[@]}")
  last=\${indices[\${#indices[@]} - 1]}
  if [[ $last != "\${__at[0]}" ]]; then
    unset -v 'PROMPT_COMMAND[__at[0]]'
    __at[0]=$((last + 1))
    PROMPT_COMMAND[__at[0]]=$__at_h
  fi
}
__at_install() {
  PROMPT_COMMAND[91]=$__at_h
  __at_wrap
  __at_move_last
}
`
