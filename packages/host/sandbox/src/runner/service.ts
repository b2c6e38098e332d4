import { realpath } from 'node:fs/promises'
import type { ConfinedCommand, RunnerProbe, SandboxPolicy, SandboxService } from '../contract.js'
import { SandboxError } from '../errors.js'
import { createPrivateDirectories, type PrivateDirectories } from './private-directory.js'
import type { Confinement, Runner } from './runner.js'

export interface SandboxParts {
  /** Runners in order of preference. */
  readonly runners: readonly Runner[]
  readonly probe: (runner: Runner) => Promise<RunnerProbe>
  readonly directories?: PrivateDirectories
}

function explainRefusal(
  runners: readonly Runner[],
  probes: readonly RunnerProbe[],
  policy: SandboxPolicy,
): SandboxError {
  const here = runners.filter(({ platform }) => platform === process.platform)
  const tried = probes.map(({ runner, usable, detail }) =>
    usable ? `${runner}: works, but cannot deny the network` : `${runner}: ${detail}`,
  )
  const [preferred] = here
  return new SandboxError(
    'NO_RUNNER',
    [
      `Mode ${policy.mode}${policy.network === 'deny' ? ' without network' : ''} cannot be provided here.`,
      `Tried ${tried.join('; ') || 'nothing: no runner exists for this platform'}.`,
      preferred?.advice ?? 'Use Linux or macOS.',
      'Or choose danger-full-access by name, if running unconfined is really meant.',
    ].join(' '),
  )
}

/** Who could write the directory above may have put a symlink in its place since: what it leads to was never permitted. */
async function requireWorkspace(workspaceRoot: string): Promise<void> {
  const real = await realpath(workspaceRoot).catch(() => undefined)
  if (real === workspaceRoot) return
  const found = real === undefined ? 'does not exist any more' : `leads to ${real} now`
  throw new SandboxError(
    'WORKSPACE_INVALID',
    `The workspace ${workspaceRoot} ${found}. Put the directory back, or choose another workspace.`,
  )
}

/** Confine by the first runner that was seen to work. Probes run once, at the first question. */
export function createSandboxService(parts: SandboxParts): SandboxService {
  const { runners, probe, directories = createPrivateDirectories() } = parts
  let probed: Promise<readonly RunnerProbe[]> | undefined
  const probes = () => {
    probed ??= Promise.all(runners.map(probe))
    return probed
  }

  async function chooseRunner(policy: SandboxPolicy): Promise<Runner> {
    const results = await probes()
    const chosen = runners.find(
      (runner, index) => results[index]?.usable && (policy.network === 'allow' || runner.canDenyNetwork),
    )
    if (chosen) return chosen
    throw explainRefusal(runners, results, policy)
  }

  return {
    probes,
    async confine(argv, policy, options = {}): Promise<ConfinedCommand> {
      const { mode } = policy
      if (mode === 'danger-full-access') {
        throw new SandboxError('MODE_INVALID', 'danger-full-access is not a confinement: start the command as it is.')
      }
      await requireWorkspace(policy.workspaceRoot)
      const runner = await chooseRunner(policy)
      const { cwd, visible = [] } = options
      const realCwd = cwd === undefined ? undefined : await realpath(cwd).catch(() => cwd)
      const privateDirectory = await directories.create()
      const release = () => directories.remove(privateDirectory)
      const confinement: Confinement = {
        argv,
        mode,
        workspaceRoot: policy.workspaceRoot,
        network: policy.network,
        privateDirectory,
        visible: realCwd === undefined ? visible : [...visible, realCwd],
        ...(cwd === undefined ? {} : { cwd }),
      }
      if (realCwd !== undefined && runner.isHidden(realCwd, confinement)) {
        await release()
        throw new SandboxError(
          'CWD_HIDDEN',
          `The directory ${cwd} does not exist inside the confinement by ${runner.name}. Start in the workspace ` +
            `${policy.workspaceRoot}, or in another directory of the machine's files.`,
        )
      }
      const { argv: wrapped, env } = runner.wrap(confinement)
      return {
        argv: wrapped,
        env,
        runner: runner.name,
        endsDescendants: runner.endsDescendants,
        access: {
          writable: mode === 'workspace-write' ? [policy.workspaceRoot] : [],
          ...(env.TMPDIR === undefined ? {} : { temporaryDirectory: env.TMPDIR }),
          network: policy.network,
        },
        release,
      }
    },
  }
}
