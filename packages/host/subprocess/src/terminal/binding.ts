/**
 * node-pty's native binding. It is not part of node-pty's public interface, so its shape is checked, and without it the
 * public interface serves (`portable-device.ts`).
 */
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'

export interface PtyChild {
  readonly fd: number
  readonly pid: number
  /** Device path of the slave. */
  readonly pty: string
}

export interface PtyBinding {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    isUtf8: boolean,
    helperPath: string,
    handleExit: (code: number, signal: number) => void,
  ): PtyChild
  resize(fd: number, columns: number, rows: number, widthPixels: number, heightPixels: number): void
  /** The program through which macOS starts processes; unused on Linux. */
  readonly helperPath: string
}

const require = createRequire(import.meta.url)

function isFunction(value: unknown): value is (...args: never[]) => unknown {
  return typeof value === 'function'
}

/** Take the loader's answer only if it looks as the pinned version's does. */
export function recogniseBinding(loaded: unknown, libraryDirectory: string): PtyBinding | undefined {
  if (typeof loaded !== 'object' || loaded === null) return undefined
  const { dir, module } = loaded as { readonly dir?: unknown; readonly module?: Record<string, unknown> }
  if (typeof dir !== 'string' || !isFunction(module?.fork) || !isFunction(module?.resize)) return undefined
  return {
    fork: module.fork as PtyBinding['fork'],
    resize: module.resize as PtyBinding['resize'],
    helperPath: resolve(libraryDirectory, dir, 'spawn-helper').replace(/app\.asar(?!\.)/, 'app.asar.unpacked'),
  }
}

/** @returns `undefined` when this node-pty has no such binding. */
export function loadBinding(): PtyBinding | undefined {
  try {
    const path = require.resolve('node-pty/lib/utils.js')
    const { loadNativeModule } = require(path) as { readonly loadNativeModule?: (name: string) => unknown }
    return loadNativeModule ? recogniseBinding(loadNativeModule('pty'), dirname(path)) : undefined
  } catch {
    return undefined
  }
}
