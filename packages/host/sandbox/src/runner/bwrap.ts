/** bubblewrap: a mount namespace that is read-only but for what the mode allows, and a pid namespace. bwrap(1) */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Confinement, Runner, WrappedCommand } from './runner.js'

/** Where the private temporary directory appears inside. */
const TEMPORARY = '/tmp'

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`)
}

/** The mounts, in the order in which bwrap makes them: later ones lie on top. */
export function planMounts(confinement: Confinement): readonly string[] {
  const { mode, workspaceRoot, privateDirectory, visible } = confinement
  const isRoot = workspaceRoot === '/'
  const base = isRoot && mode === 'workspace-write' ? '--bind' : '--ro-bind'
  const workspace = isRoot ? [] : [mode === 'workspace-write' ? '--bind' : '--ro-bind', workspaceRoot, workspaceRoot]
  // Everything else is visible through the root; only what lies below the temporary directory is hidden by ours.
  const hidden = visible.filter((path) => isBelow(path, TEMPORARY) && !isBelow(path, workspaceRoot))
  return [
    ...[base, '/', '/'],
    ...['--dev', '/dev'],
    ...['--proc', '/proc'],
    ...['--bind', privateDirectory, TEMPORARY],
    ...workspace,
    ...hidden.flatMap((path) => ['--ro-bind', path, path]),
  ]
}

export function wrapWithBwrap(file: string, confinement: Confinement): WrappedCommand {
  return {
    argv: [
      file,
      ...planMounts(confinement),
      // No new session: the shell must keep its controlling terminal, or there is no job control. What can be typed into
      // that terminal by an ioctl reaches only the shell inside.
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      ...(confinement.network === 'deny' ? ['--unshare-net'] : []),
      ...['--cap-drop', 'ALL'],
      '--die-with-parent',
      '--',
      ...confinement.argv,
    ],
    env: { TMPDIR: TEMPORARY },
  }
}

/** @returns the first executable `bwrap` on PATH. */
export function findBwrap(path = process.env.PATH ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, 'bwrap'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

export function createBwrapRunner(): Runner {
  const file = findBwrap()
  return {
    name: 'bwrap',
    platform: 'linux',
    canDenyNetwork: true,
    endsDescendants: true,
    advice: 'Install bubblewrap (Debian: apt-get install bubblewrap), and allow unprivileged user namespaces.',
    findObstacle: () => (file === undefined ? 'bwrap is not on PATH' : undefined),
    wrap: (confinement) => wrapWithBwrap(file ?? 'bwrap', confinement),
  }
}
