/** The PTY library of this installation, and whether it gives a PTY. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loadBinding, type PtyBinding } from '../terminal/binding.js'
import type { OpenPty } from '../terminal/device.js'
import { createPtyError, readPtyFacts, resolveOpenPty } from '../terminal/pty-support.js'

export type PtyLibrary =
  /** The native binding that we know. `origin` says whether its binary came with the package or was compiled at installation. */
  | { readonly kind: 'native'; readonly version: string; readonly origin: 'prebuilt' | 'compiled' }
  /** It loads, but only its public interface can be used. */
  | { readonly kind: 'portable'; readonly version: string }
  | { readonly kind: 'broken'; readonly message: string }

export type PtyTrial =
  | { readonly kind: 'works'; readonly ttyPath: string | undefined }
  | { readonly kind: 'failed'; readonly message: string }

export interface PtyWorld {
  readonly findBinding: () => PtyBinding | undefined
  /** @throws when no PTY can be had, with a message that says what to do. */
  readonly resolveOpen: () => OpenPty
  readonly readVersion: () => string
}

const require = createRequire(import.meta.url)

const systemWorld: PtyWorld = {
  findBinding: loadBinding,
  resolveOpen: () => resolveOpenPty(),
  readVersion: () =>
    (JSON.parse(readFileSync(require.resolve('node-pty/package.json'), 'utf8')) as { readonly version: string })
      .version,
}

export function describePtyLibrary(world: PtyWorld = systemWorld): PtyLibrary {
  try {
    world.resolveOpen()
    const version = world.readVersion()
    const binding = world.findBinding()
    if (binding === undefined) return { kind: 'portable', version }
    return { kind: 'native', version, origin: /[\\/]prebuilds[\\/]/.test(binding.helperPath) ? 'prebuilt' : 'compiled' }
  } catch (error) {
    return { kind: 'broken', message: describeError(error) }
  }
}

const SAID = 'pty works'
const TRIAL_MS = 10_000

/** Start a program on a PTY of its own and read what it prints there. */
export async function tryPty(world: Pick<PtyWorld, 'resolveOpen'> = systemWorld): Promise<PtyTrial> {
  let open: OpenPty
  try {
    open = world.resolveOpen()
  } catch (error) {
    return { kind: 'failed', message: describeError(error) }
  }
  return new Promise((resolve) => {
    let output = ''
    try {
      const device = open(
        {
          file: '/bin/sh',
          args: ['-c', `test -t 0 && echo "${SAID}"`],
          cwd: '/',
          env: { PATH: process.env.PATH ?? '/usr/bin:/bin', TERM: 'dumb' },
          size: { columns: 80, rows: 24 },
        },
        {
          handleData: (bytes) => {
            output += Buffer.from(bytes).toString('latin1')
          },
          handleExit: () => {
            clearTimeout(timer)
            if (output.includes(SAID)) resolve({ kind: 'works', ttyPath: device.ttyPath })
            else resolve({ kind: 'failed', message: 'A program on a PTY printed nothing that could be read.' })
          },
        },
      )
      const timer = setTimeout(() => {
        device.close()
        resolve({ kind: 'failed', message: `A program on a PTY did not end within ${TRIAL_MS / 1000} s.` })
      }, TRIAL_MS)
    } catch (error) {
      resolve({ kind: 'failed', message: createPtyError(error, readPtyFacts()).message })
    }
  })
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
