import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfinedCommand, RunnerProbe, SandboxPolicy, SandboxService } from '../contract.js'
import { SandboxError } from '../errors.js'
import type { Runner } from './runner.js'

export interface SandboxParts {
  /** Runners in order of preference. */
  readonly runners: readonly Runner[]
  readonly probe: (runner: Runner) => Promise<RunnerProbe>
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

/** Confine by the first runner that was seen to work. Probes run once, at the first question. */
export function createSandboxService({ runners, probe }: SandboxParts): SandboxService {
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
      const runner = await chooseRunner(policy)
      const privateDirectory = await realpath(await mkdtemp(join(tmpdir(), 'agent-terminals-')))
      const { argv: wrapped, env } = runner.wrap({
        argv,
        mode,
        workspaceRoot: policy.workspaceRoot,
        network: policy.network,
        privateDirectory,
        visible: options.visible ?? [],
      })
      return {
        argv: wrapped,
        env,
        runner: runner.name,
        endsDescendants: runner.endsDescendants,
        release: () => rm(privateDirectory, { recursive: true, force: true }),
      }
    },
  }
}
