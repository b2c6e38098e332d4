import type { SubprocessTerminal } from '@agent-terminals/subprocess/contract'
import type { Config } from '../config.js'
import type { TerminalOutput } from '../core/index.js'
import type { Clock } from './clock.js'
import type { Foreground } from './foreground.js'
import type { InputWriter } from './input-writer.js'
import type { LineFeeder } from './line-feeder.js'
import type { QueryResponder } from './queries.js'
import type { ScreenKeeper } from './screen/keeper.js'
import type { ShellRecord } from './shell-record.js'
import type { OutputStream } from './stream.js'
import type { TrailSink } from './trail.js'
import type { WatchSources } from './watch.js'

/** What the parts of one session share. */
export interface SessionParts {
  readonly handle: SubprocessTerminal
  readonly output: TerminalOutput
  readonly stream: OutputStream
  readonly screen: ScreenKeeper
  readonly queries: QueryResponder
  readonly record: ShellRecord
  readonly foreground: Foreground
  readonly input: InputWriter
  readonly feeder: LineFeeder
  readonly clock: Clock
  readonly config: Config
  /** Takes the evidence trail of a send, when it is wanted. */
  readonly debug: TrailSink | undefined
}

export function watchSources({ clock, foreground, queries }: SessionParts): WatchSources {
  return {
    clock,
    look: async () => {
      const look = await foreground.look()
      // Who waits for an answer of the terminal itself does not wait for input.
      return look && { ...look, waits: look.waits.filter((wait) => !queries.isPending && !queries.isAnswered(wait)) }
    },
    attributes: () => foreground.attributes(),
    line: () => foreground.line(),
  }
}
