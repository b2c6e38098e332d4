import { execFile } from 'node:child_process'
import type { TerminalAttributes } from '../contract.js'
import { parseSttySettings } from '../core/index.js'

const STTY_TIMEOUT_MS = 2_000

/**
 * Ask stty(1) about a terminal. It opens the slave for a moment only.
 * @returns `undefined` when stty is missing, fails or answers something unknown.
 */
export function readAttributes(ttyPath: string, platform: string): Promise<TerminalAttributes | undefined> {
  const option = platform === 'darwin' ? '-f' : '-F'
  return new Promise((resolve) => {
    execFile(
      'stty',
      [option, ttyPath, '-a'],
      { timeout: STTY_TIMEOUT_MS, env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' } },
      (error, stdout) => resolve(error ? undefined : parseSttySettings(stdout)),
    )
  })
}
