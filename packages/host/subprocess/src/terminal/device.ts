import type { ExitOutcome, TerminalSize } from '../contract.js'

/** What to start, complete and checked: the environment is final. */
export interface PtyRequest {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly size: TerminalSize
}

export interface PtyEvents {
  /** Bytes in order. Borrowed: copy to keep. Some may still come after `pause`: what was read already, and the rest before an exit. */
  readonly handleData: (bytes: Uint8Array) => void
  /** The process has ended and nothing more will be read. Called once, after the last byte. */
  readonly handleExit: (outcome: ExitOutcome) => void
}

/** The master side of one PTY with its process: the only thing here that touches the device. Injected in tests. */
export interface PtyDevice {
  readonly pid: number
  readonly ttyPath: string | undefined
  pause(): void
  resume(): void
  /** Hand bytes to the kernel without waiting. @returns how many it took, 0 when it has no room. */
  write(bytes: Uint8Array): number
  resize(size: TerminalSize): void
  /**
   * Hand over now what has been written to the terminal before this call, without waiting for more.
   * @returns whether that was everything: not while paused, nor when more keeps coming. Absent where nothing can tell.
   */
  readPending?(): boolean
  /** Give up the device although the process may live on; the kernel hangs the terminal up. Idempotent. */
  close(): void
}

/** @throws when the system refuses; nothing is left behind then. */
export type OpenPty = (request: PtyRequest, events: PtyEvents) => PtyDevice
