/** Whether this machine can give PTYs at all, and what stands in the way when it cannot. */
import { accessSync, closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { explainPtyFailure, type PtyFacts } from '../core/index.js'
import { SubprocessError } from '../errors.js'
import { loadBinding, type PtyBinding } from './binding.js'
import type { OpenPty } from './device.js'
import { createNativeOpen } from './native-device.js'
import { createPortableOpen, type SpawnPty } from './portable-device.js'

const MASTER_DEVICE = '/dev/ptmx'
/** Major 5, minor 2: pts(4). */
const LINUX_MASTER_NUMBER = 0x502
const require = createRequire(import.meta.url)

/** @throws SubprocessError `UNSUPPORTED_PLATFORM` */
export function requirePlatform(platform: string): void {
  if (platform === 'linux' || platform === 'darwin') return
  throw new SubprocessError(
    'UNSUPPORTED_PLATFORM',
    `Terminals need Linux or macOS; this is ${platform}. On Windows, run inside WSL.`,
  )
}

/**
 * node-pty starts processes on macOS through a helper program, whose x bit some package managers drop.
 * @throws SubprocessError `PTY_UNAVAILABLE` naming the file and the fix.
 */
export function requireHelper(platform: string, helperPath: string): void {
  if (platform !== 'darwin') return
  try {
    accessSync(helperPath, constants.X_OK)
  } catch (cause) {
    const fix = existsSync(helperPath) ? `Run: chmod +x '${helperPath}'` : 'Reinstall node-pty.'
    const state = existsSync(helperPath) ? 'is not executable' : 'does not exist'
    throw new SubprocessError('PTY_UNAVAILABLE', `node-pty's helper ${helperPath} ${state}. ${fix}`, { cause })
  }
}

function loadSpawn(): SpawnPty {
  try {
    return (require('node-pty') as { readonly spawn: SpawnPty }).spawn
  } catch (cause) {
    throw new SubprocessError(
      'PTY_UNAVAILABLE',
      `node-pty cannot be loaded on ${process.platform}-${process.arch} with Node ${process.version}. ` +
        'Reinstall it on this machine and allow its build script (it needs a C++ compiler, make and python3).',
      { cause },
    )
  }
}

/**
 * The best way to a PTY that this installation offers.
 * @param binding - what `loadBinding` found; `undefined` selects node-pty's public interface.
 * @throws SubprocessError `UNSUPPORTED_PLATFORM` or `PTY_UNAVAILABLE`.
 */
export function resolveOpenPty(
  platform: string = process.platform,
  binding: PtyBinding | undefined = loadBinding(),
): OpenPty {
  requirePlatform(platform)
  if (!binding) return createPortableOpen(loadSpawn())
  requireHelper(platform, binding.helperPath)
  return createNativeOpen(binding)
}

function readNumber(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** @returns the error code of opening the device; `undefined` when it opens and is what it should be. */
function tryDevice(): string | undefined {
  try {
    const fd = openSync(MASTER_DEVICE, constants.O_RDWR | constants.O_NOCTTY)
    const { rdev } = fstatSync(fd)
    closeSync(fd)
    return process.platform === 'linux' && rdev !== LINUX_MASTER_NUMBER ? 'ENOTTY' : undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'an unknown error'
  }
}

/** Look at the device right after a failure, while its cause lasts. */
export function readPtyFacts(): PtyFacts {
  return {
    device: MASTER_DEVICE,
    deviceErrorCode: tryDevice(),
    usedPtys: readNumber('/proc/sys/kernel/pty/nr'),
    maxPtys: readNumber('/proc/sys/kernel/pty/max'),
  }
}

export function createPtyError(cause: unknown, facts: PtyFacts): SubprocessError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new SubprocessError('PTY_UNAVAILABLE', explainPtyFailure(reason, facts), { cause })
}
