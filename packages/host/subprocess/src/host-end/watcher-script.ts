/**
 * The watcher, in POSIX sh. It reads lines from a pipe whose other end only the host holds: first `NAME=value` of the
 * host's tag, then `session <pid>` and `forget <pid>` as terminals come and go, at last `stop`. When the pipe ends
 * without `stop` the host is gone, and everything that carries the tag or belongs to a session still named is ended:
 * hang-up, terminate, kill, within a second.
 *
 * The tag comes by the pipe and not by argument or environment, so that the watcher never finds itself. It ignores the
 * signals of a terminal's keys and of a session's end, and nothing but the pipe ends it.
 */
export const WATCHER_SCRIPT = `
trap '' HUP INT QUIT TERM
IFS= read -r entry || exit 0
sessions=' '
while IFS= read -r line; do
  case $line in
    stop) exit 0 ;;
    'session '*) sessions="$sessions\${line#session } " ;;
    'forget '*)
      gone=\${line#forget }
      case $sessions in *" $gone "*) sessions="\${sessions%% $gone *} \${sessions#* $gone }" ;; esac ;;
  esac
done

nap() { sleep "$1" 2>/dev/null || sleep 1; }

find_tagged() {
  if [ -r /proc/self/environ ]; then
    for file in $(grep -lsF -e "$entry" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      echo "\${pid%/environ}"
    done
  else
    ps -axEww -o pid=,command= 2>/dev/null | while read -r pid command; do
      case " $command " in *" $entry "*) echo "$pid" ;; esac
    done
  fi
}

find_members() {
  [ "$sessions" = ' ' ] && return
  for stat in /proc/[0-9]*/stat; do
    IFS= read -r line 2>/dev/null < "$stat" || continue
    fields=\${line##*) }
    set -- $fields
    [ "$1" = Z ] && continue
    case $sessions in *" $4 "*) echo "\${line%% *}" ;; esac
  done 2>/dev/null
}

tell() {
  count=0
  for pid in $(find_tagged; find_members); do
    [ "$pid" -gt 1 ] && [ "$pid" -ne $$ ] || continue
    count=$((count + 1))
    for signal in "$@"; do kill -s "$signal" "$pid" 2>/dev/null; done
  done
}

tell HUP CONT
nap 0.1
tell HUP TERM CONT
[ $count -eq 0 ] && exit 0
nap 0.4
rounds=0
while [ $rounds -lt 40 ]; do
  tell STOP
  tell KILL
  [ $count -eq 0 ] && exit 0
  nap 0.02
  rounds=$((rounds + 1))
done
`
