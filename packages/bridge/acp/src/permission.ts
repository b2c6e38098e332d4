/** Policy of the tool pipeline: what the configuration names runs only after the client has allowed it. Sheet §6.4. */
import type { BeforeExecute, ToolHooks } from '@agent-terminals/tools/contract'
import type { AcpClientConnection } from './connection.js'

export function createPermissionHook(
  tools: readonly string[],
  connections: ReadonlySet<AcpClientConnection>,
): ToolHooks {
  const asked = new Set(tools)
  return {
    async before({ tool, exec }): Promise<BeforeExecute> {
      if (!asked.has(tool) && !asked.has('*')) return { action: 'continue' }
      for (const connection of connections) {
        const session = connection.findSession(exec.agent)
        if (!session) continue
        const isAllowed = await connection.askPermission(session, exec.callId, exec.signal)
        return isAllowed
          ? { action: 'continue' }
          : { action: 'refuse', reason: 'permission denied', code: 'PERMISSION_DENIED' }
      }
      // Not one of our agents: somebody else's policy.
      return { action: 'continue' }
    },
  }
}
