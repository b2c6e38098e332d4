import { Writable } from 'node:stream'

export interface ClaimedStdout {
  /** Writes to standard output. Fails, as streams do, when nobody reads any more. */
  readonly output: Writable
  /** Whether something that was written has not been read: it would keep the process for as long as the reader lives. */
  readonly hasUnread: boolean
  /** Give standard output back. */
  release(): void
}

/** Standard output for a protocol alone: until released, `console` and `process.stdout.write` go to standard error. */
export function claimStdout(): ClaimedStdout {
  const { stdout, stderr } = process
  const original = stdout.write
  const write = original.bind(stdout)
  const redirected: typeof stdout.write = (...args: unknown[]) => Reflect.apply(stderr.write, stderr, args)
  // A reader that has gone is reported by the write that failed; unheard, it would end the process on the spot.
  const ignore = () => undefined
  stdout.on('error', ignore)
  stdout.write = redirected
  const output = new Writable({
    write: (chunk: Uint8Array, _encoding, callback) => void write(chunk, callback),
  })
  // Every answer that waits for a slow reader is a listener of its own.
  output.setMaxListeners(0)
  return {
    output,
    get hasUnread() {
      return output.writableLength > 0 && !output.destroyed
    },
    release() {
      if (stdout.write === redirected) stdout.write = original
      stdout.off('error', ignore)
    },
  }
}
