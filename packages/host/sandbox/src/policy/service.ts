import type { SessionLog } from '@agent-terminals/agents/contract'
import {
  SANDBOX_MODES,
  type SandboxMode,
  type SandboxPolicy,
  type SandboxPolicyService,
  type SandboxSubject,
} from '../contract.js'
import { SandboxError } from '../errors.js'
import type { Config } from './config.js'
import { findWorkspaceProblem } from './workspace.js'

type Fence = (session: SessionLog) => string | undefined

function isSandboxMode(value: unknown): value is SandboxMode {
  return SANDBOX_MODES.some((mode) => mode === value)
}

/** The mode a session chose last, or nothing. */
export function findChosenMode(session: SessionLog | undefined): SandboxMode | undefined {
  const chosen = session?.events.findLast((event) => event.type === 'sandbox/mode')
  return (chosen?.data as { readonly mode: SandboxMode } | undefined)?.mode
}

/** The workspace a session was narrowed to last, or nothing. */
function findChosenWorkspace(session: SessionLog | undefined): string | undefined {
  const chosen = session?.events.findLast((event) => event.type === 'sandbox/workspace')
  return (chosen?.data as { readonly workspaceRoot: string } | undefined)?.workspaceRoot
}

/**
 * Which mode applies to whom. Holds no mode of its own beside the deployment's default: a session's choice is the last
 * `sandbox/mode` event of its log. Seed, "Security and process boundary".
 */
export function createPolicyService(config: Config) {
  const fences = new Set<Fence>()

  const resolve = (subject: SandboxSubject): SandboxPolicy => ({
    mode: findChosenMode(subject.session) ?? config.mode,
    workspaceRoot: findChosenWorkspace(subject.session) ?? config.workspaceRoot,
    network: config.network,
  })

  /** @throws SandboxError `MODE_IN_USE` with the reasons of the fences that hold the session. */
  const askFences = (session: SessionLog, consequence: string): void => {
    const refusals = [...fences].map((fence) => fence(session)).filter((reason) => reason !== undefined)
    if (refusals.length > 0) throw new SandboxError('MODE_IN_USE', `${consequence}: ${refusals.join(' ')}`)
  }

  /** @throws SandboxError when the session may not change to the mode now. */
  const checkChange = (session: SessionLog, mode: unknown): void => {
    if (!isSandboxMode(mode)) {
      throw new SandboxError(
        'MODE_INVALID',
        `Unknown sandbox mode ${JSON.stringify(mode)}. Use ${SANDBOX_MODES.join(', ')}.`,
      )
    }
    const current = resolve({ session }).mode
    if (mode === current) return
    askFences(session, `The sandbox mode stays ${current}`)
  }

  /** @throws SandboxError when the session may not be narrowed to the directory now. */
  const checkWorkspace = (session: SessionLog, workspaceRoot: unknown): void => {
    const current = resolve({ session }).workspaceRoot
    if (workspaceRoot === current) return
    const problem = findWorkspaceProblem(workspaceRoot, current)
    if (problem !== undefined) {
      throw new SandboxError(
        'WORKSPACE_INVALID',
        `${JSON.stringify(workspaceRoot)} cannot be the workspace: ${problem}`,
      )
    }
    askFences(session, `The workspace stays ${current}`)
  }

  const service: SandboxPolicyService = {
    resolve,
    // The log's guard checks as well; asking first gives foreign logs, which may have no guard, the same protection.
    setMode(session, mode) {
      checkChange(session, mode)
      session.append('sandbox/mode', { mode })
    },
    fence(check) {
      fences.add(check)
      return () => void fences.delete(check)
    },
  }
  return { service, checkChange, checkWorkspace }
}
