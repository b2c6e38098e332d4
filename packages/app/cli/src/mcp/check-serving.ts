/** Refuse to serve what could only fail later, or would be wider than it looks. */
import { type ConnectionConfig, McpBridgeError, resolveWorkspace } from '@agent-terminals/mcp'
import type { SandboxMode, SandboxPolicy } from '@agent-terminals/sandbox/contract'
import type { Context } from '@deepseek-ai/cordis'
import { requireServices } from '../boot/require-services.js'
import { CliError } from '../errors.js'

/** Of the commands whose option it is. */
const FLAG_ADVICE = 'Choose another mode by name: --sandbox danger-full-access runs terminals without any confinement.'
const CONFIG_ADVICE =
  'Choose another mode in a composition (--config): danger-full-access runs terminals without any confinement.'

/**
 * Try what the first terminal of an MCP client will need: the services, the policy, and a runner that works.
 * @throws CliError `CONFIG_INVALID` | `SANDBOX_UNAVAILABLE` | `OPTION_INVALID`, with the flag to choose.
 */
export async function checkServing(ctx: Context, config: ConnectionConfig): Promise<void> {
  requireServices(ctx, ['agents', 'tools', 'terminals'])
  if (ctx.get('sandboxPolicy') === undefined) {
    throw new CliError('SANDBOX_UNAVAILABLE', 'The composition has no @agent-terminals/sandbox/policy. Add it.')
  }
  await checkRoot(ctx, config)
  await checkConfinement(ctx, { mode: config.sandbox, advice: FLAG_ADVICE })
}

/**
 * Try what the first terminal of a person will need. A composition without a policy has chosen so itself.
 * @throws CliError `SANDBOX_UNAVAILABLE`.
 */
export async function checkPeopleServing(ctx: Context): Promise<void> {
  requireServices(ctx, ['terminals'])
  await checkConfinement(ctx, { advice: CONFIG_ADVICE })
}

async function checkRoot(ctx: Context, config: ConnectionConfig): Promise<void> {
  try {
    await resolveWorkspace({ config, askRoots: async () => [], policy: ctx.get('sandboxPolicy') })
  } catch (error) {
    if (error instanceof McpBridgeError) throw new CliError('OPTION_INVALID', error.message, { cause: error })
    throw error
  }
}

interface Confinement {
  /** Default: that of the composition. */
  readonly mode?: SandboxMode | undefined
  readonly advice: string
}

async function checkConfinement(ctx: Context, { mode, advice }: Confinement): Promise<void> {
  const inForce = ctx.get('sandboxPolicy')?.resolve({})
  if (inForce === undefined) return
  const policy: SandboxPolicy = { ...inForce, mode: mode ?? inForce.mode }
  if (policy.mode === 'danger-full-access') return
  if (policy.mode === 'workspace-write' && policy.workspaceRoot === '/') {
    throw new CliError(
      'SANDBOX_UNAVAILABLE',
      'The workspace would be /, so nothing would be confined. Start in a project directory, or name one with --root DIR.',
    )
  }
  await tryConfinement(ctx, policy, advice)
}

async function tryConfinement(ctx: Context, policy: SandboxPolicy, advice: string): Promise<void> {
  const sandbox = ctx.get('sandbox')
  if (!sandbox) {
    const message = `Mode ${policy.mode} needs @agent-terminals/sandbox/runner in the composition. ${advice}`
    throw new CliError('SANDBOX_UNAVAILABLE', message)
  }
  try {
    const command = await sandbox.confine(['/bin/sh', '-c', ':'], policy)
    await command.release()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CliError('SANDBOX_UNAVAILABLE', `${reason}\n${advice}`, { cause })
  }
}
