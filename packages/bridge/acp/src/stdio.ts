/** Standard output for the protocol alone: whatever else writes to it ends up on standard error. Sheet IO-1. */
import { Readable } from 'node:stream'
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk'

export interface ClaimedStdio {
  /** The protocol's stream. From then on standard input keeps the process alive until the connection ends. */
  open(): Stream
  /** Give standard output back. */
  release(): void
}

/** `console` and `process.stdout.write` go to standard error until released. */
export function claimStdio(): ClaimedStdio {
  const { stdout, stderr } = process
  const original = stdout.write
  const write = original.bind(stdout)
  const redirected: typeof stdout.write = (...args: unknown[]) => Reflect.apply(stderr.write, stderr, args)
  stdout.write = redirected
  // A client that has gone is heard of by the write that fails; unheard, the event would end the process on the spot.
  const ignore = () => undefined
  stdout.on('error', ignore)
  const output = new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        write(chunk, (error) => (error ? reject(error) : resolve()))
      }),
  })
  return {
    open: () => ndJsonStream(output, Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
    release() {
      if (stdout.write === redirected) stdout.write = original
      stdout.off('error', ignore)
    },
  }
}
