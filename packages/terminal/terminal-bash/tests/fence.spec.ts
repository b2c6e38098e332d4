import type { SessionLog } from '@agent-terminals/agents/contract'
import type { SandboxPolicyService } from '@agent-terminals/sandbox/contract'
import type { TerminalOwner, TerminalSessions } from '@agent-terminals/terminal'
import { describe, expect, it } from 'vitest'
import { fenceOpenTerminals } from '../src/sandbox.js'

/** Records the check and whether it still stands. */
function createPolicies() {
  const checks: ((session: SessionLog) => string | undefined)[] = []
  const policies: Pick<SandboxPolicyService, 'fence'> = {
    fence: (check) => {
      checks.push(check)
      return () => checks.splice(checks.indexOf(check), 1)
    },
  }
  return { policies: policies as SandboxPolicyService, checks }
}

describe('the fence around a session’s sandbox mode', () => {
  const session = {} as SessionLog
  const owner = { id: 'a', session } as unknown as TerminalOwner
  const owners: TerminalOwner[] = []
  const terminals = { activeOwners: () => owners } as unknown as TerminalSessions

  it('refuses a change while an owner of that session has activity, and says what to do', () => {
    const { policies, checks } = createPolicies()
    fenceOpenTerminals(policies, terminals)
    expect(checks[0]?.(session)).toBeUndefined()
    owners.push(owner)
    expect(checks[0]?.(session)).toMatch(/close the terminals/)
    expect(checks[0]?.({} as SessionLog)).toBeUndefined()
    owners.pop()
    expect(checks[0]?.(session)).toBeUndefined()
  })

  it('falls with its release', () => {
    const { policies, checks } = createPolicies()
    fenceOpenTerminals(policies, terminals)()
    expect(checks).toEqual([])
  })
})
