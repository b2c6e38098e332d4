import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunnerProbe, SandboxPolicy } from '../../src/contract.js'
import { createPrivateDirectories } from '../../src/runner/private-directory.js'
import type { Runner } from '../../src/runner/runner.js'
import { createSandboxService } from '../../src/runner/service.js'

const policy: SandboxPolicy = { mode: 'read-only', workspaceRoot: '/', network: 'allow' }

function runnerNamed(name: Runner['name'], canDenyNetwork = true): Runner {
  return {
    name,
    platform: process.platform,
    canDenyNetwork,
    endsDescendants: false,
    limits: [],
    advice: `Install ${name}.`,
    findObstacle: () => undefined,
    isHidden: (path) => path.startsWith('/proc'),
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
      limits: runner.limits,
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

test.each([
  ['read-only', []],
  ['workspace-write', ['/']],
] as const)('a command in %s says what is open to it', async (mode, writable) => {
  const { probe } = probes({ bwrap: true })
  const wrap: Runner['wrap'] = ({ argv }) => ({ argv, env: { TMPDIR: '/inside' } })
  const service = createSandboxService({ runners: [{ ...runnerNamed('bwrap'), wrap }], probe })
  const { access, release } = await service.confine(['x'], { ...policy, mode, network: 'deny' })
  await release()
  expect(access).toEqual({ writable, temporaryDirectory: '/inside', network: 'deny' })
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

test('a directory that is hidden inside is refused with a code and leaves nothing behind', async () => {
  const { probe } = probes({ bwrap: true })
  const base = mkdtempSync(join(tmpdir(), 'sandbox-base-'))
  const service = createSandboxService({
    runners: [runnerNamed('bwrap')],
    probe,
    directories: createPrivateDirectories(base),
  })
  await expect(service.confine(['x'], policy, { cwd: '/proc/1' })).rejects.toMatchObject({
    code: 'CWD_HIDDEN',
    message: expect.stringContaining('/proc/1'),
  })
  expect(readdirSync(base)).toEqual([])
  rmSync(base, { recursive: true })
})

test('a workspace that has become a symlink is refused', async () => {
  const { probe } = probes({ bwrap: true })
  const service = createSandboxService({ runners: [runnerNamed('bwrap')], probe })
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-base-')))
  const workspaceRoot = join(base, 'workspace')
  mkdirSync(workspaceRoot)
  renameSync(workspaceRoot, join(base, 'moved'))
  symlinkSync('/', workspaceRoot)
  await expect(service.confine(['x'], { ...policy, workspaceRoot })).rejects.toMatchObject({
    code: 'WORKSPACE_INVALID',
    message: expect.stringContaining('leads to / now'),
  })
  rmSync(base, { recursive: true })
})
