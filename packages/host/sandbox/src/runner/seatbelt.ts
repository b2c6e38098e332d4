/** macOS: `sandbox-exec` with a profile made for the confinement. sandbox-exec(1) */
import { existsSync } from 'node:fs'
import type { Confinement, Runner, WrappedCommand } from './runner.js'

const SANDBOX_EXEC = '/usr/bin/sandbox-exec'

/** A string in the profile language. */
function quote(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&')}"`
}

export function renderProfile(confinement: Confinement): string {
  const { mode, workspaceRoot, privateDirectory, network } = confinement
  const writable = [privateDirectory, ...(mode === 'workspace-write' ? [workspaceRoot] : [])]
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* ${writable.map((path) => `(subpath ${quote(path)})`).join(' ')})`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx"))',
    '(allow file-write* (regex #"^/dev/(ttys|pty)[0-9a-z]+$"))',
    ...(network === 'deny' ? ['(deny network*)'] : []),
  ].join('\n')
}

export function wrapWithSeatbelt(confinement: Confinement): WrappedCommand {
  return {
    argv: [SANDBOX_EXEC, '-p', renderProfile(confinement), ...confinement.argv],
    env: { TMPDIR: confinement.privateDirectory, TMUX_TMPDIR: confinement.privateDirectory },
  }
}

export function createSeatbeltRunner(): Runner {
  return {
    name: 'seatbelt',
    platform: 'darwin',
    canDenyNetwork: true,
    endsDescendants: false,
    limits: [
      '/tmp is the machine’s and read-only; programs that do not use $TMPDIR cannot write there.',
      'A daemon that leaves its session and clears its environment outlives the terminal.',
      'Other processes of the user can be signalled, their sockets used, and their terminals written to.',
    ],
    advice: 'Use a macOS that ships sandbox-exec.',
    findObstacle: () => (existsSync(SANDBOX_EXEC) ? undefined : `${SANDBOX_EXEC} does not exist`),
    isHidden: () => false,
    wrap: wrapWithSeatbelt,
  }
}
