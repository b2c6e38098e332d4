/** What lives on in a terminal after the end of a command, or of the shell itself. */
import type { RemainingProcess } from '@agent-terminals/terminal'
import { cleanLine } from './clean.js'
import type { Fact } from './compose.js'
import { count } from './words.js'

/** Processes named in a text; the data has all of them. */
const MAX_NAMED = 5

/** `still running: 2 processes: sleep (pid 12), node (pid 13); terminal_close ends them`. */
export function remainingFacts(processes: readonly RemainingProcess[]): readonly Fact[] {
  if (processes.length === 0) return []
  const named = processes.slice(0, MAX_NAMED).map(({ pid, command }) => `${cleanLine(command, 40)} (pid ${pid})`)
  const more = processes.length > MAX_NAMED ? `, and ${processes.length - MAX_NAMED} more` : ''
  const short = `still running: ${count(processes.length, 'process', 'processes')}`
  const them = processes.length === 1 ? 'it' : 'them'
  return [{ text: `${short}: ${named.join(', ')}${more}; terminal_close ends ${them}`, short }]
}
