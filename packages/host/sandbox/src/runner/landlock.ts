/** Landlock: the kernel refuses file access that was not granted; nothing is hidden or remapped. landlock(7) */
import { existsSync } from 'node:fs'
import { grantArgs, launcherPath } from '@deepseek-ai/node-addon-landlock-run'
import { type CapabilityDrop, findCapabilityDrop } from './capabilities.js'
import type { Confinement, Runner, WrappedCommand } from './runner.js'

/** Devices that programs write to without changing anything outside their terminal. */
const DEVICES = [
  '/dev/null',
  '/dev/zero',
  '/dev/full',
  '/dev/random',
  '/dev/urandom',
  '/dev/tty',
  '/dev/ptmx',
  '/dev/pts',
]

export function wrapWithLandlock(
  launcher: string,
  confinement: Confinement,
  exists: (path: string) => boolean,
  drop: CapabilityDrop,
): WrappedCommand {
  const { argv, mode, workspaceRoot, privateDirectory } = confinement
  // The launcher refuses to start when a granted path is missing.
  const readWrite = [
    ...DEVICES.filter(exists),
    privateDirectory,
    ...(mode === 'workspace-write' ? [workspaceRoot] : []),
  ]
  return {
    argv: prefix(drop, [launcher, ...grantArgs({ readOnly: ['/'], readWrite }), '--', ...argv]),
    env: { TMPDIR: privateDirectory, TMUX_TMPDIR: privateDirectory },
  }
}

/** Nothing but the arguments changes: the wrapper is replaced by the launcher, and that by the program. */
function prefix(drop: CapabilityDrop, argv: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const [file, ...args] = drop.kind === 'possible' ? drop.argv : []
  return file === undefined ? argv : [file, ...args, ...argv]
}

const ROOT_LIMIT =
  'The host has capabilities of root, and nothing here (setpriv of util-linux) can take them away: programs can read the ' +
  'environment of other processes and type into other terminals. Run the host as an ordinary user.'

export function createLandlockRunner(): Runner {
  const launcher = launcherPath()
  const drop = findCapabilityDrop()
  return {
    name: 'landlock',
    platform: 'linux',
    canDenyNetwork: false,
    endsDescendants: false,
    limits: [
      'The network cannot be denied.',
      'Modes, owners and times of files outside can be changed where the user may: Landlock governs content and names.',
      '/tmp is the machine’s and read-only; programs that do not use $TMPDIR cannot write there.',
      'Shared memory (/dev/shm) cannot be made; Python’s multiprocessing and browsers need it.',
      'A daemon that leaves its session and clears its environment outlives the terminal.',
      'Other processes of the user can be signalled, their sockets used, and their terminals written to.',
      ...(drop.kind === 'impossible' ? [ROOT_LIMIT] : []),
    ],
    advice: 'Use a kernel of 5.13 or newer with Landlock among its security modules.',
    findObstacle: () => (existsSync(launcher) ? undefined : 'there is no Landlock launcher for this platform'),
    isHidden: () => false,
    wrap: (confinement) => wrapWithLandlock(launcher, confinement, existsSync, drop),
  }
}
