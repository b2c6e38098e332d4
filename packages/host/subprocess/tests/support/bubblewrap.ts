import { spawnSync } from 'node:child_process'

/** A command line in a pid namespace of its own, with the rest of the machine read-only. */
export const BUBBLEWRAP = [
  'bwrap',
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--die-with-parent'],
] as const

/** Whether bubblewrap is there and may create namespaces. */
export function canConfine(): boolean {
  const [file, ...args] = BUBBLEWRAP
  return spawnSync(file, [...args, 'true'], { stdio: 'ignore' }).status === 0
}
