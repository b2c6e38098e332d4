/**
 * Marks around the prompts. The wrappers only refer to variables: a user who exports PS1 exports no secret, and where the variables
 * are missing, as in a child, they expand to nothing. `\[ \]` tells the line editor that they take no room.
 *
 * The line editor and the prompts are drawn on standard error. Where that leads elsewhere (`exec 2>log`), nothing of them is seen, and
 * the hook tells of the prompt itself, through standard input: the terminal can be written to there as well.
 *
 * `__at_1` and `__at_2` stand around PS1, `__at_3` before PS2, `__at_0` before PS0. What the user puts around them stays.
 */
export const WRAP = `
__at_2='\\[\${__at_e-}\\]'
__at_3='\\[\${__at_k-}\\]'
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
  if [[ -n $__at_0 && \${PS0-} != "$__at_0"* ]]; then
    text=\${PS0-}
    PS0=$__at_0\${text//"$__at_0"/}
  fi
  if [[ -n \${__at[5]-} ]]; then
    __at[5]=
    __at_keep_leaving
  fi
}
__at_unseen() {
  local directory
  builtin printf -v directory %q "$PWD"
  builtin printf '%s' "$__at_d$1$__at_z$__at_p$1;;unseen$__at_c$directory$__at_z$__at_e" >&0
}
`
