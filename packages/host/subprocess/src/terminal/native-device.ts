/**
 * A PTY over node-pty's native binding, read and written by ourselves.
 *
 * node-pty's own terminal class loses output before an exit, because libuv may take POLLHUP for the end although a PTY
 * master has more (https://github.com/libuv/libuv/issues/4992, and /pull/5165 for what 1.52 left open). It also reports
 * an exit up to 200 ms late while a background process holds the slave, and retries refused writes without pause. Here,
 * the end and the exit are each followed by reading the descriptor until the kernel says that nothing is left.
 */
import { readSync, writeSync } from 'node:fs'
import type { OnReadOpts, SocketConstructorOpts } from 'node:net'
import { ReadStream } from 'node:tty'
import type { ExitOutcome, TerminalSize } from '../contract.js'
import { withoutDescriptorGaps } from '../descriptor-fence.js'
import type { PtyBinding } from './binding.js'
import type { OpenPty, PtyDevice, PtyEvents, PtyRequest } from './device.js'
import { toExitOutcome } from './exit-outcome.js'

/**
 * What a line discipline gives in one read: N_TTY_BUF_SIZE less one. libuv takes a read that fills its buffer for a sign that there is
 * more and reads on without asking the kernel first.
 */
const READ_BYTES = 4_095
const DRAIN_CHUNK_BYTES = 65_536
/**
 * More than a PTY holds (64 KiB of flip buffers and N_TTY_BUF_SIZE), so that whatever was printed before the end is
 * within it, while a background process that goes on printing cannot keep us reading.
 */
const DRAIN_LIMIT_BYTES = 262_144
/** User and group of the child stay as they are. */
const KEEP_ID = -1

function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

/**
 * Read what the kernel still holds, without waiting. n_tty_read (Linux, drivers/tty/n_tty.c) waits for the work that carries bytes
 * from the slave before it says that there is nothing, so that what a program wrote before the call is among what is read.
 * @param mayGoOn - asked between reads.
 * @returns whether nothing is left.
 */
function drain(fd: number, chunk: Buffer, handleData: (bytes: Uint8Array) => void, mayGoOn = () => true): boolean {
  for (let drained = 0; drained < DRAIN_LIMIT_BYTES && mayGoOn(); ) {
    let count: number
    try {
      count = readSync(fd, chunk, 0, chunk.length, null)
    } catch (error) {
      if (errorCode(error) === 'EINTR') continue
      // EAGAIN: nothing left while somebody holds the slave. EIO: nothing left and nobody does.
      return true
    }
    if (count === 0) return true
    drained += count
    handleData(chunk.subarray(0, count))
  }
  return false
}

class NativeDevice implements PtyDevice {
  readonly pid: number
  readonly ttyPath: string
  private readonly fd: number
  private readonly stream: ReadStream
  private side: 'open' | 'closed' = 'open'
  private pendingChunk: Buffer | undefined

  constructor(
    private readonly binding: PtyBinding,
    request: PtyRequest,
    private readonly events: PtyEvents,
  ) {
    const { file, args, cwd, env, size } = request
    const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    const handleEnd = (code: number, signal: number) => this.handleProcessEnd(toExitOutcome(code, signal))
    const child = withoutDescriptorGaps(() =>
      binding.fork(
        file,
        [...args],
        pairs,
        cwd,
        size.columns,
        size.rows,
        KEEP_ID,
        KEEP_ID,
        true,
        binding.helperPath,
        handleEnd,
      ),
    )
    this.pid = child.pid
    this.ttyPath = child.pty
    this.fd = child.fd
    const reading: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
      onread: {
        buffer: Buffer.allocUnsafeSlow(READ_BYTES),
        callback: (count, bytes) => {
          this.events.handleData(bytes.subarray(0, count))
          return true
        },
      },
    }
    this.stream = new ReadStream(child.fd, reading)
    // Starts the stream, and serves a Node that does not pass `onread` on to terminals.
    this.stream.on('data', (bytes: Buffer) => this.events.handleData(bytes))
    this.stream.on('end', () => this.finishReading())
    // EIO is how a master reads its end (pty(7)); the stream has then closed the descriptor itself.
    this.stream.on('error', () => {
      this.side = 'closed'
    })
  }

  pause(): void {
    this.stream.pause()
  }

  resume(): void {
    if (this.isOpen()) this.stream.resume()
  }

  write(bytes: Uint8Array): number {
    if (!this.isOpen()) return 0
    try {
      return writeSync(this.fd, bytes)
    } catch (error) {
      const code = errorCode(error)
      // EIO: no process holds the slave at this moment. The exit, if it is one, is reported separately.
      if (code === 'EAGAIN' || code === 'EINTR' || code === 'EIO') return 0
      throw error
    }
  }

  resize(size: TerminalSize): void {
    if (this.isOpen()) this.binding.resize(this.fd, size.columns, size.rows, 0, 0)
  }

  readPending(): boolean {
    const mayRead = () => this.isOpen() && !this.stream.isPaused()
    this.pendingChunk ??= Buffer.allocUnsafeSlow(READ_BYTES)
    return mayRead() && drain(this.fd, this.pendingChunk, this.events.handleData, mayRead)
  }

  close(): void {
    this.side = 'closed'
    this.stream.destroy()
  }

  /** The stream closes the descriptor before it says so: never touch a number that may name another file by now. */
  private isOpen(): boolean {
    return this.side === 'open' && !this.stream.destroyed
  }

  private finishReading(): void {
    if (!this.isOpen()) return
    // What a stream without `onread` holds back while paused comes out as `data` events.
    while (this.stream.read() !== null);
    if (this.isOpen()) drain(this.fd, Buffer.allocUnsafeSlow(DRAIN_CHUNK_BYTES), this.events.handleData)
    this.close()
  }

  private handleProcessEnd(outcome: ExitOutcome): void {
    this.finishReading()
    this.events.handleExit(outcome)
  }
}

export function createNativeOpen(binding: PtyBinding): OpenPty {
  return (request, events) => new NativeDevice(binding, request, events)
}
