/** A line for the person who started the command. Standard output belongs to what the command is for. */
export function tell(text: string): void {
  process.stderr.write(`agent-terminals: ${text}\n`)
}

/** For commands that wait for a program on standard input: a person who started one by hand would wait as well. */
export function tellIfTyped(who: string, page: string): void {
  if (process.stdin.isTTY) tell(`waiting for a client on standard input: ${who} (${page}). Ctrl-C ends it.`)
}
