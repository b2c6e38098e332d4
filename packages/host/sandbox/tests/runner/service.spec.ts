import { expect, test } from 'vitest'
import type { RunnerProbe, SandboxPolicy } from '../../src/contract.js'
import type { Runner } from '../../src/runner/runner.js'
import { createSandboxService } from '../../src/runner/service.js'

const policy: SandboxPolicy = { mode: 'read-only', workspaceRoot: '/', network: 'allow' }

function runnerNamed(name: Runner['name'], canDenyNetwork = true): Runner {
  return {
    name,
    platform: process.platform,
    canDenyNetwork,
    endsDescendants: false,
    advice: `Install ${name}.`,
    findObstacle: () => undefined,
    wrap: ({ argv }) => ({ argv: [name, ...argv], env: {} }),
  }
}

function probes(usable: Record<string, boolean>) {
  const asked: string[] = []
  const probe = async (runner: Runner): Promise<RunnerProbe> => {
    asked.push(runner.name)
    return {
      runner: runner.name,
      usable: usable[runner.name] ?? false,
      network: runner.canDenyNetwork,
      detail: 'refused by the test',
    }
  }
  return { asked, probe }
}

async function runnerOf(service: ReturnType<typeof createSandboxService>, asked: SandboxPolicy): Promise<string> {
  const command = await service.confine(['x'], asked)
  await command.release()
  return command.runner
}

test('the first runner that was seen to work confines, and probes run once', async () => {
  const { asked, probe } = probes({ bwrap: false, landlock: true })
  const service = createSandboxService({ runners: [runnerNamed('bwrap'), runnerNamed('landlock', false)], probe })
  expect(await runnerOf(service, policy)).toBe('landlock')
  expect(await runnerOf(service, policy)).toBe('landlock')
  expect(asked).toEqual(['bwrap', 'landlock'])
})

test('without a usable runner the refusal says what was tried and what to do', async () => {
  const { probe } = probes({})
  const service = createSandboxService({ runners: [runnerNamed('bwrap'), runnerNamed('landlock')], probe })
  await expect(service.confine(['x'], policy)).rejects.toMatchObject({
    code: 'NO_RUNNER',
    message: expect.stringMatching(/bwrap: refused by the test; landlock: refused by the test.*Install bwrap\./),
  })
})

test('a runner that cannot deny the network never serves a policy that denies it', async () => {
  const { probe } = probes({ landlock: true })
  const service = createSandboxService({ runners: [runnerNamed('landlock', false)], probe })
  await expect(service.confine(['x'], { ...policy, network: 'deny' })).rejects.toMatchObject({
    code: 'NO_RUNNER',
    message: expect.stringContaining('landlock: works, but cannot deny the network'),
  })
})

test('full access is not a confinement', async () => {
  const { probe } = probes({ bwrap: true })
  const service = createSandboxService({ runners: [runnerNamed('bwrap')], probe })
  await expect(service.confine(['x'], { ...policy, mode: 'danger-full-access' })).rejects.toMatchObject({
    code: 'MODE_INVALID',
  })
})
