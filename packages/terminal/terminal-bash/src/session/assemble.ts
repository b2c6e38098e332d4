import type { SubprocessTerminal } from '@agent-terminals/subprocess/contract'
import type { BackendEvent, TerminalSize } from '@agent-terminals/terminal'
import type { Config } from '../config.js'
import { createTerminalOutput, EXIT_ACKNOWLEDGEMENT } from '../core/index.js'
import { NonceHandover } from '../integration/index.js'
import type { Clock } from './clock.js'
import { Foreground } from './foreground.js'
import { InputWriter } from './input-writer.js'
import { LineFeeder } from './line-feeder.js'
import type { SessionParts } from './parts.js'
import { findReader, QueryResponder } from './queries.js'
import { toStatus } from './result.js'
import { loadXterm } from './screen/emulator.js'
import { ScreenKeeper } from './screen/keeper.js'
import { ShellRecord } from './shell-record.js'
import { OutputStream } from './stream.js'
import type { TrailSink } from './trail.js'

export interface AssembleOptions {
  readonly handle: SubprocessTerminal
  readonly nonce: string
  readonly size: TerminalSize
  readonly config: Config
  readonly clock: Clock
  readonly emit: (event: BackendEvent) => void
  readonly debug: TrailSink | undefined
}

/** Connect the parts of a session around a process that has just started. @returns them and a release. */
export function assembleParts(options: AssembleOptions): { parts: SessionParts; release: () => void } {
  const { handle, nonce, size, config, clock, emit } = options
  const output = createTerminalOutput({
    nonce,
    columns: size.columns,
    rows: size.rows,
    scrollbackLines: config.scrollbackLines,
    scrollbackMaxBytes: config.scrollbackMaxBytes,
    maxReadBytes: config.maxReadBytes,
    viewportMaxBytes: config.viewportMaxBytes,
  })
  const record = new ShellRecord()
  const foreground = new Foreground(handle, output, config.inspector === 'auto', clock)
  const input = new InputWriter(handle)
  // A terminal that ends meanwhile needs no answer.
  const write = (data: string) => void input.write(data).catch(() => {})
  const queries = new QueryResponder({
    clock,
    phase: () => record.phase,
    cursor: () => screen.cursor(),
    reader: async () => findReader(foreground.canProveWaits ? await foreground.look() : undefined),
    write,
  })
  const screen = new ScreenKeeper({
    output,
    size,
    isKept: config.features.screen,
    load: loadXterm,
    title: () => stream.modes.title,
    isProgramInFront: () => record.phase === 'running' || record.phase === 'lost',
    hold: () => handle.pause(),
    release: () => handle.resume(),
  })
  const stream: OutputStream = new OutputStream({
    output,
    record,
    screen,
    clock,
    emit,
    onExiting: () => write(EXIT_ACKNOWLEDGEMENT),
    onQuery: (query) => queries.ask(query),
    onShellEvent: (event) => feeder.handle(event),
  })
  const feeder: LineFeeder = new LineFeeder((line) => {
    stream.handleTyped(line.text)
    write(line.bytes)
  })
  const handover = new NonceHandover(nonce)
  const handleOutput = (chunk: Uint8Array) => {
    if (handover.isDone) return stream.handleChunk(chunk)
    const { output: rest, reply } = handover.feed(chunk)
    if (reply !== undefined) write(reply)
    if (rest.length > 0) stream.handleChunk(rest)
  }
  const detach = handle.onOutput(handleOutput, { borrows: true })
  handle.exited.then((outcome) => {
    emit({ type: 'exited', status: toStatus(outcome) })
    stream.handleExit()
    queries.close()
  })
  const parts: SessionParts = {
    handle,
    output,
    stream,
    screen,
    queries,
    record,
    foreground,
    input,
    feeder,
    clock,
    config,
    debug: options.debug,
  }
  return {
    parts,
    release: () => {
      queries.close()
      screen.close()
      detach()
    },
  }
}
