/**
 * A PTY over node-pty's public interface alone. It serves where the native binding is not the one we know, with limits:
 * node-pty may lose the last output before an exit, drops what is unread when the process ends while paused, reports an
 * exit up to 200 ms late, and does not say what the kernel took, so input is paced instead.
 */
import type { IPty } from 'node-pty'
import type { TerminalSize } from '../contract.js'
import { withoutDescriptorGaps } from '../descriptor-fence.js'
import type { OpenPty, PtyDevice, PtyEvents, PtyRequest } from './device.js'
import { toExitOutcome } from './exit-outcome.js'

/** Pace that canonical readers and old line editors follow without node-pty's writer having to spin. */
const PIECE_BYTES = 4096
const PACE_MS = 2

/** The part of node-pty that is used. */
export type SpawnPty = typeof import('node-pty').spawn

/** Undocumented members, used when they are there. */
interface UnixDetails {
  readonly ptsName?: unknown
  readonly destroy?: unknown
}

class PortableDevice implements PtyDevice {
  readonly pid: number
  readonly ttyPath: string | undefined
  private readonly pty: IPty
  private readonly listeners: readonly { dispose(): void }[]
  private side: 'open' | 'closed' = 'open'
  private nextWriteAtMs = 0

  constructor(spawn: SpawnPty, request: PtyRequest, events: PtyEvents) {
    const { file, args, cwd, env, size } = request
    const { columns: cols, rows } = size
    this.pty = withoutDescriptorGaps(() => spawn(file, [...args], { cwd, env: { ...env }, cols, rows, encoding: null }))
    const { ptsName } = this.pty as UnixDetails
    this.pid = this.pty.pid
    this.ttyPath = typeof ptsName === 'string' ? ptsName : undefined
    this.listeners = [
      // With `encoding: null` chunks are Buffers, whatever the declaration says.
      this.pty.onData((chunk: string | Buffer) => events.handleData(Buffer.from(chunk as Buffer))),
      this.pty.onExit(({ exitCode, signal }) => {
        this.side = 'closed'
        for (const listener of this.listeners) listener.dispose()
        events.handleExit(toExitOutcome(exitCode, signal))
      }),
    ]
  }

  pause(): void {
    this.pty.pause()
  }

  resume(): void {
    if (this.side === 'open') this.pty.resume()
  }

  write(bytes: Uint8Array): number {
    const nowMs = performance.now()
    if (this.side === 'closed' || nowMs < this.nextWriteAtMs) return 0
    this.nextWriteAtMs = nowMs + PACE_MS
    const piece = Buffer.from(bytes.subarray(0, PIECE_BYTES))
    this.pty.write(piece)
    return piece.byteLength
  }

  resize(size: TerminalSize): void {
    if (this.side === 'open') this.pty.resize(size.columns, size.rows)
  }

  close(): void {
    if (this.side === 'closed') return
    this.side = 'closed'
    const { destroy } = this.pty as UnixDetails
    if (typeof destroy === 'function') destroy.call(this.pty)
    else this.pty.kill('SIGHUP')
  }
}

export function createPortableOpen(spawn: SpawnPty): OpenPty {
  return (request, events) => new PortableDevice(spawn, request, events)
}
