/**
 * A leaving shell says so and waits, at most two seconds, until the host has read everything: some versions of Node lose the last
 * output of a terminal whose leader has gone. It cannot tell a hang-up from an exit; a second hang-up, or the end of the host, ends
 * the wait at once.
 *
 * The user's own EXIT trap runs before ours. To learn of one without a fork at every prompt, `trap` is an alias that sets a flag on
 * the way (the expansion itself yields no word); only then does the next prompt look, once, with one fork.
 */
export const LEAVE = `
__at_l='{ __at_leave "$?"; } 9>&2 >/dev/null 2>&1'
__at_m='{ __at_leave ""; } 9>&2 >/dev/null 2>&1'
__at_leave() {
  local byte end=$((SECONDS + 2)) to=9
  if [[ ! -t 9 ]]; then to=0; fi
  builtin printf '%s' "$__at_x$1$__at_z" >&$to
  while ((SECONDS <= end)) && IFS= builtin read -rsn1 -t 2 -u $to byte; do
    if [[ $byte = $'\\006' ]]; then break; fi
  done
  return 0
}
__at_keep_leaving() {
  local set
  set=$(builtin trap -p EXIT)
  if [[ -z $set ]] && ! builtin trap -p EXIT >&-; then return 0; fi
  case $set in
    *"$__at_l"* | *"$__at_m"*) return 0 ;;
    '') ;;
    *)
      eval "set -- $set"
      set=$3
      ;;
  esac
  if [[ -n $set ]]; then set=$set$'\\n'$__at_m; else set=$__at_l; fi
  builtin trap -- "$set" EXIT
}
alias trap='trap \${__at[__at[5]=1]:+}'
builtin trap -- "$__at_l" EXIT
`
