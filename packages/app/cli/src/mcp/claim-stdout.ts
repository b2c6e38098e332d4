import { Writable } from 'node:stream'

export interface ClaimedStdout {
  /** Writes to standard output. Fails, as streams do, when nobody reads any more. */
  readonly output: Writable
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
  return {
    output: new Writable({
      write: (chunk: Uint8Array, _encoding, callback) => void write(chunk, callback),
    }),
    release() {
      if (stdout.write === redirected) stdout.write = original
      stdout.off('error', ignore)
    },
  }
}
