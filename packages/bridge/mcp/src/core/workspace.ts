/** Where an agent works: the operator's word first, then the client's, then the directory of the server. */

export interface WorkspaceFacts {
  /** `--root`: absolute, symlinks resolved. */
  readonly root: string | undefined
  /** Directories the client calls its roots, in its order: existing, absolute, symlinks resolved. */
  readonly clientRoots: readonly string[]
  /** Of the server process: absolute, symlinks resolved. */
  readonly workingDirectory: string
  /** What the composition allows; nothing when no policy is mounted. */
  readonly policy: { readonly mode: string; readonly workspaceRoot: string } | undefined
}

export type Workspace =
  | {
      readonly kind: 'chosen'
      readonly cwd: string
      /** The workspace to narrow the agent's policy to; absent when it stays as it is. */
      readonly narrowTo?: string
      /** Why the client's root was not taken, for people to read. */
      readonly notice?: string
    }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Whether a directory is the other one or lies in it. Both absolute, symlinks resolved. It only chooses what to ask for: whether
 * a workspace may be narrowed to it is for the sandbox policy to say, which asks the file system itself.
 */
export function isWithin(directory: string, outer: string): boolean {
  return directory === outer || directory.startsWith(outer.endsWith('/') ? outer : `${outer}/`)
}

/**
 * A client's root can narrow what may be written, never widen it: in `workspace-write` a root outside the composition's
 * workspace is not taken. In the other modes nothing depends on the workspace, and any root may be the working directory.
 */
export function chooseWorkspace({ root, clientRoots, workingDirectory, policy }: WorkspaceFacts): Workspace {
  const wanted = root ?? clientRoots[0]
  if (policy?.mode !== 'workspace-write') return { kind: 'chosen', cwd: wanted ?? workingDirectory }
  const { workspaceRoot } = policy
  if (wanted === undefined) {
    return { kind: 'chosen', cwd: isWithin(workingDirectory, workspaceRoot) ? workingDirectory : workspaceRoot }
  }
  if (isWithin(wanted, workspaceRoot)) {
    return { kind: 'chosen', cwd: wanted, ...(wanted === workspaceRoot ? {} : { narrowTo: wanted }) }
  }
  const outside = `${wanted} is outside the workspace ${workspaceRoot}`
  if (root !== undefined) return { kind: 'refused', reason: `${outside} of the composition.` }
  return {
    kind: 'chosen',
    cwd: isWithin(workingDirectory, workspaceRoot) ? workingDirectory : workspaceRoot,
    notice: `The client's root ${outside} that this server may write, so it was not taken. Start the server in that directory, or with --root ${wanted}.`,
  }
}
