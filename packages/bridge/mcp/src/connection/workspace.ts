/** The facts behind the choice of a workspace: directories that exist, and what the client says. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SandboxPolicyService } from '@agent-terminals/sandbox/contract'
import type { ConnectionConfig } from '../config.js'
import { chooseWorkspace, type Workspace } from '../core/workspace.js'
import { McpBridgeError } from '../errors.js'

async function findDirectory(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

/** The directory a root's URI names, when it is a usable one. */
async function resolveRootUri(uri: string): Promise<string | undefined> {
  try {
    const path = fileURLToPath(uri)
    return isAbsolute(path) ? await findDirectory(path) : undefined
  } catch {
    return undefined
  }
}

export interface WorkspaceRequest {
  readonly config: Pick<ConnectionConfig, 'root' | 'sandbox'>
  /** URIs of the client's roots; not asked for when the operator named one. */
  readonly askRoots: () => Promise<readonly string[]>
  readonly policy: SandboxPolicyService | undefined
}

/** @throws McpBridgeError `ROOT_INVALID` | `ROOT_OUTSIDE`. */
export async function resolveWorkspace({
  config,
  askRoots,
  policy,
}: WorkspaceRequest): Promise<Extract<Workspace, { kind: 'chosen' }>> {
  const root = config.root === undefined ? undefined : await findDirectory(config.root)
  if (config.root !== undefined && root === undefined) {
    throw new McpBridgeError(
      'ROOT_INVALID',
      `The root ${config.root} is not an existing directory. Name one with --root.`,
    )
  }
  const uris = root === undefined ? await askRoots() : []
  const clientRoots = (await Promise.all(uris.map(resolveRootUri))).filter((path) => path !== undefined)
  const inForce = policy?.resolve({})
  const workspace = chooseWorkspace({
    root,
    clientRoots,
    workingDirectory: await realpath(process.cwd()),
    policy: inForce && { mode: config.sandbox ?? inForce.mode, workspaceRoot: inForce.workspaceRoot },
  })
  if (workspace.kind === 'refused') {
    throw new McpBridgeError(
      'ROOT_OUTSIDE',
      `${workspace.reason} Widen workspaceRoot in the composition, or name another root.`,
    )
  }
  return workspace
}
