/** bubblewrap: a mount namespace that is read-only but for what the mode allows, and a pid namespace. bwrap(1) */
import { existsSync } from 'node:fs'
import { findOnPath, isBelow } from './paths.js'
import type { Confinement, Runner, WrappedCommand } from './runner.js'

/** Where temporary files go on most machines. Inside it is a private directory. */
const TEMPORARY = '/tmp'

/**
 * Sockets of the machine's services live here: whoever reaches the user's service manager or a container daemon has them
 * start something outside. Name resolution and the programs of some distributions live here too and stay.
 */
const SERVICES = '/run'
const SERVICES_KEPT = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/NetworkManager/no-stub-resolv.conf',
  '/run/current-system',
  '/run/booted-system',
  '/run/wrappers',
  '/run/opengl-driver',
]

/** Replaced inside by ones of its own. */
const REPLACED = ['/dev', '/proc'] as const

interface MountPlan {
  readonly args: readonly string[]
  /** The private directory's name inside. */
  readonly temporary: string
}

/** The mounts, in the order in which bwrap makes them: later ones lie on top. */
export function planMounts(confinement: Confinement, exists: (path: string) => boolean = existsSync): MountPlan {
  const { mode, workspaceRoot, privateDirectory, visible, cwd } = confinement
  const isRoot = workspaceRoot === '/'
  const access = mode === 'workspace-write' ? '--bind' : '--ro-bind'
  // A workspace that is the temporary directory itself stays what it is; the private directory keeps its own name.
  const isReplacing = workspaceRoot !== TEMPORARY
  const temporary = isReplacing ? TEMPORARY : privateDirectory
  const hidden = [...visible, ...(cwd === undefined ? [] : [cwd])].filter(
    (path) => path !== TEMPORARY && isCovered(path) && !isBelow(path, workspaceRoot),
  )
  return {
    args: [
      ...[isRoot ? access : '--ro-bind', '/', '/'],
      ...['--dev', '/dev'],
      ...['--proc', '/proc'],
      ...(exists(SERVICES) ? ['--tmpfs', SERVICES] : []),
      ...SERVICES_KEPT.flatMap((path) => ['--ro-bind-try', path, path]),
      ...(isReplacing ? ['--bind', privateDirectory, TEMPORARY] : []),
      ...(isRoot ? [] : [access, workspaceRoot, workspaceRoot]),
      ...(isReplacing ? [] : ['--bind', privateDirectory, privateDirectory]),
      ...hidden.flatMap((path) => ['--ro-bind', path, path]),
    ],
    temporary,
  }
}

function isCovered(path: string): boolean {
  return isBelow(path, TEMPORARY) || isBelow(path, SERVICES)
}

export function wrapWithBwrap(file: string, confinement: Confinement): WrappedCommand {
  const { args, temporary } = planMounts(confinement)
  return {
    argv: [
      file,
      ...args,
      // No new session: the shell must keep its controlling terminal, or there is no job control. What can be typed into
      // that terminal by an ioctl reaches only the shell inside.
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      ...(confinement.network === 'deny' ? ['--unshare-net'] : []),
      ...['--cap-drop', 'ALL'],
      '--die-with-parent',
      // Without it, bwrap goes on in the home directory when the directory is missing inside.
      ...(confinement.cwd === undefined ? [] : ['--chdir', confinement.cwd]),
      '--',
      ...confinement.argv,
    ],
    env: { TMPDIR: temporary, TMUX_TMPDIR: temporary },
  }
}

export function createBwrapRunner(): Runner {
  const file = findOnPath('bwrap')
  return {
    name: 'bwrap',
    platform: 'linux',
    canDenyNetwork: true,
    endsDescendants: true,
    limits: [
      'Process numbers inside differ from those of the machine, which terminal_open and terminal_list tell.',
      'The terminal is called /dev/console inside.',
      'A shell that ends by a signal is reported with exit code 128 plus its number.',
      'Sockets on files outside /run can be used, servers on the network too unless it is denied.',
    ],
    advice: 'Install bubblewrap (Debian: apt-get install bubblewrap), and allow unprivileged user namespaces.',
    findObstacle: () => (file === undefined ? 'bwrap is not on PATH' : undefined),
    isHidden: (path) => REPLACED.some((directory) => isBelow(path, directory)),
    wrap: (confinement) => wrapWithBwrap(file ?? 'bwrap', confinement),
  }
}
