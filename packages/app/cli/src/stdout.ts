/** Standard output of a command that ends when nobody reads it any more, as `… | head -1` does. */
import { EXIT_CODES } from './exit-codes.js'

export interface Stdout {
  /** Aborts when a write has failed. What is written from then on is dropped. */
  readonly lost: AbortSignal
  write(text: string): void
  /** Wait until everything written has been taken or lost, and give standard output back. */
  release(): Promise<void>
}

/** From now until released, a failed write is an abort and not the end of the process in the middle of its work. */
export function watchStdout(): Stdout {
  const { stdout } = process
  const controller = new AbortController()
  const handleError = (error: Error) => controller.abort(error)
  stdout.on('error', handleError)
  const { signal: lost } = controller
  return {
    lost,
    write(text) {
      if (!lost.aborted) stdout.write(text)
    },
    async release() {
      // The failure of a write is told by the stream after the call, and in order.
      if (!lost.aborted) await new Promise<void>((resolve) => stdout.write('', () => resolve()))
      stdout.off('error', handleError)
    },
  }
}

/**
 * Run a command on a standard output of its own.
 * @returns its exit code, or `EXIT_CODES.STDOUT_LOST` when its output had no reader.
 */
export async function withStdout(run: (stdout: Stdout) => Promise<number>): Promise<number> {
  const stdout = watchStdout()
  let code: number
  try {
    code = await run(stdout)
  } finally {
    await stdout.release()
  }
  return stdout.lost.aborted ? EXIT_CODES.STDOUT_LOST : code
}
