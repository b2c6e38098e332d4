/** Refuse to serve what could only fail later, or would be wider than it looks. */
import { type ConnectionConfig, McpBridgeError, resolveWorkspace } from '@agent-terminals/mcp'
import type { SandboxPolicy } from '@agent-terminals/sandbox/contract'
import type { Context } from '@deepseek-ai/cordis'
import { CliError } from '../errors.js'

const ADVICE = 'Choose another mode by name: --sandbox danger-full-access runs terminals without any confinement.'

/**
 * Try what the first terminal will need: the policy, and a runner that works.
 * @throws CliError `SANDBOX_UNAVAILABLE` | `OPTION_INVALID`, with the flag to choose.
 */
export async function checkSandbox(ctx: Context, config: ConnectionConfig): Promise<void> {
  const policies = ctx.get('sandboxPolicy')
  if (!policies) {
    throw new CliError('SANDBOX_UNAVAILABLE', 'The composition has no @agent-terminals/sandbox/policy. Add it.')
  }
  const inForce = policies.resolve({})
  const policy: SandboxPolicy = { ...inForce, mode: config.sandbox ?? inForce.mode }
  await checkRoot(config, ctx)
  if (policy.mode === 'danger-full-access') return
  if (policy.mode === 'workspace-write' && policy.workspaceRoot === '/') {
    throw new CliError(
      'SANDBOX_UNAVAILABLE',
      'The workspace would be /, so nothing would be confined. Start in a project directory, or name one with --root DIR.',
    )
  }
  await tryConfinement(ctx, policy)
}

async function checkRoot(config: ConnectionConfig, ctx: Context): Promise<void> {
  try {
    await resolveWorkspace({ config, askRoots: async () => [], policy: ctx.get('sandboxPolicy') })
  } catch (error) {
    if (error instanceof McpBridgeError) throw new CliError('OPTION_INVALID', error.message, { cause: error })
    throw error
  }
}

async function tryConfinement(ctx: Context, policy: SandboxPolicy): Promise<void> {
  const sandbox = ctx.get('sandbox')
  if (!sandbox) {
    const message = `Mode ${policy.mode} needs @agent-terminals/sandbox/runner in the composition. ${ADVICE}`
    throw new CliError('SANDBOX_UNAVAILABLE', message)
  }
  try {
    const command = await sandbox.confine(['/bin/sh', '-c', ':'], policy)
    await command.release()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CliError('SANDBOX_UNAVAILABLE', `${reason}\n${ADVICE}`, { cause })
  }
}
