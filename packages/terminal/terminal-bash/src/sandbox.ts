import type {
  SandboxErrorCode,
  SandboxPolicy,
  SandboxPolicyService,
  SandboxService,
} from '@agent-terminals/sandbox/contract'
import {
  type HeldPhase,
  type HeldTerminal,
  type TerminalConfinement,
  TerminalError,
  type TerminalOwner,
  type TerminalSessions,
} from '@agent-terminals/terminal'

/** A command line ready to start under the owner's policy. */
export interface Confinement {
  readonly argv: readonly [file: string, ...args: string[]]
  readonly env: Readonly<Record<string, string | undefined>>
  /** What keeps the processes in, for a person to read; absent without confinement. */
  readonly runner?: string
  /** What is left to the programs inside; absent without confinement, and when the sandbox does not say. */
  readonly description?: TerminalConfinement
  release(): Promise<void>
}

/**
 * Put the owner's policy around a shell, once, for the life of the terminal.
 * @param cwd - where it starts; it must exist inside.
 * @param sandbox - the runner service, when one is mounted.
 */
export async function confine(
  argv: readonly [string, ...string[]],
  cwd: string,
  policy: SandboxPolicy,
  sandbox: SandboxService | undefined,
): Promise<Confinement> {
  if (policy.mode === 'danger-full-access') return { argv, env: {}, release: async () => {} }
  if (!sandbox) {
    throw new TerminalError(
      'SANDBOX_UNAVAILABLE',
      `The sandbox mode is ${policy.mode}, and no sandbox runner is mounted. ` +
        'Mount @agent-terminals/sandbox/runner, or choose the mode danger-full-access.',
    )
  }
  try {
    const command = await sandbox.confine(argv, policy, { cwd })
    const { access } = command
    return {
      argv: command.argv,
      env: command.env ?? {},
      runner: command.runner,
      ...(access === undefined ? {} : { description: { mode: policy.mode, ...access } }),
      release: () => command.release(),
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    if (isCwdHidden(error)) throw new TerminalError('CWD_HIDDEN', detail, { cause: error })
    throw new TerminalError(
      'SANDBOX_UNAVAILABLE',
      `The sandbox mode ${policy.mode} cannot be provided here. ${detail}`,
      { cause: error },
    )
  }
}

function isCwdHidden(error: unknown): boolean {
  const code: SandboxErrorCode = 'CWD_HIDDEN'
  return error instanceof Error && 'code' in error && error.code === code
}

/** Refuse a change of a session's mode while an owner of that session has, or is opening, a terminal. */
export function fenceOpenTerminals(policies: SandboxPolicyService, terminals: TerminalSessions): () => void {
  return policies.fence((session) => {
    const owners = terminals.activeOwners().filter((owner: TerminalOwner) => owner.session === session)
    const held = owners.flatMap((owner) => terminals.listHeld(owner))
    if (held.length === 0) return undefined
    return `Terminals keep the confinement they started with. ${held.map(describeStep).join(' ')} Then change it.`
  })
}

const STEPS: Readonly<Record<HeldPhase, (terminal: string) => string>> = {
  opening: (terminal) => `Wait until ${terminal} has been opened, and close it.`,
  running: (terminal) => `Close ${terminal}.`,
  closing: (terminal) => `Wait until ${terminal} has been closed.`,
  'close-failed': (terminal) => `Close ${terminal} again: something of it could not be ended.`,
}

function describeStep({ sessionId, name, phase }: HeldTerminal): string {
  return STEPS[phase](name === undefined ? sessionId : `${sessionId} (${JSON.stringify(name)})`)
}
