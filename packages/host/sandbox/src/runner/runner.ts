import type { SandboxMode } from '../contract.js'

/** One confinement to build: everything a runner needs to know, resolved. */
export interface Confinement {
  readonly argv: readonly [file: string, ...args: string[]]
  readonly mode: Exclude<SandboxMode, 'danger-full-access'>
  /** Absolute, symlinks resolved. */
  readonly workspaceRoot: string
  readonly network: 'allow' | 'deny'
  /** A fresh host directory, private to this confinement. */
  readonly privateDirectory: string
  /** Absolute paths that must stay readable. */
  readonly visible: readonly string[]
  /** Where the command starts; absent leaves it where its starter is. */
  readonly cwd?: string
}

export interface WrappedCommand {
  readonly argv: readonly [file: string, ...args: string[]]
  readonly env: Readonly<Record<string, string>>
}

/** A way to confine a process on one platform. */
export interface Runner {
  readonly name: 'bwrap' | 'landlock' | 'seatbelt'
  readonly platform: NodeJS.Platform
  /** Whether it can cut a process off the network. */
  readonly canDenyNetwork: boolean
  /** Whether the end of the wrapper is the end of everything inside. */
  readonly endsDescendants: boolean
  /** What it cannot keep in, or what is different inside, one sentence each. */
  readonly limits: readonly string[]
  /** What to do when it does not work here, one sentence. */
  readonly advice: string
  /** Why it cannot even be tried, or nothing. */
  findObstacle(): string | undefined
  /** Whether a directory of the machine is another one, or none, inside. */
  isHidden(path: string, confinement: Confinement): boolean
  wrap(confinement: Confinement): WrappedCommand
}
