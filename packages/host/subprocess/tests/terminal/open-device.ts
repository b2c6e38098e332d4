/** Helper of the device suites: a device of either kind with its output collected. */
import { createRequire } from 'node:module'
import type { ExitOutcome } from '../../src/contract.js'
import { loadBinding } from '../../src/terminal/binding.js'
import type { OpenPty, PtyDevice, PtyRequest } from '../../src/terminal/device.js'
import { createNativeOpen } from '../../src/terminal/native-device.js'
import { createPortableOpen, type SpawnPty } from '../../src/terminal/portable-device.js'

const require = createRequire(import.meta.url)

export const environment: Record<string, string> = { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', TERM: 'dumb' }

export function openNative(): OpenPty {
  const binding = loadBinding()
  if (!binding) throw new Error('the pinned node-pty has a native binding')
  return createNativeOpen(binding)
}

export function openPortable(): OpenPty {
  return createPortableOpen((require('node-pty') as { readonly spawn: SpawnPty }).spawn)
}

export interface OpenedDevice {
  readonly device: PtyDevice
  readonly exited: Promise<ExitOutcome>
  /** Everything received so far. */
  text(): string
  byteCount(): number
  /** Resolves once the output contains the text. */
  waitForText(wanted: string): Promise<void>
}

export function openDevice(
  open: OpenPty,
  argv: readonly [string, ...string[]],
  overrides?: Partial<PtyRequest>,
): OpenedDevice {
  const chunks: Uint8Array[] = []
  const waiters = new Set<() => void>()
  let settle: (outcome: ExitOutcome) => void = () => {}
  const exited = new Promise<ExitOutcome>((resolve) => {
    settle = resolve
  })
  const [file, ...args] = argv
  const device = open(
    { file, args, cwd: '/', env: environment, size: { columns: 80, rows: 24 }, ...overrides },
    {
      handleData(chunk) {
        chunks.push(Uint8Array.from(chunk))
        for (const waiter of waiters) waiter()
      },
      handleExit: settle,
    },
  )
  const text = () => Buffer.concat(chunks).toString('utf8')
  return {
    device,
    exited,
    text,
    byteCount: () => chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0),
    waitForText: (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          if (!text().includes(wanted)) return
          waiters.delete(look)
          resolve()
        }
        waiters.add(look)
        look()
      }),
  }
}
