import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import type { ForegroundInspection, ForegroundMember, TerminalSignal } from '../../src/contract.js'
import { createInspector, signalForegroundGroup } from '../../src/inspector/index.js'
import { startBash } from '../support/pty-program.js'

const createMember = (state: ForegroundMember['state']): ForegroundMember => ({
  identity: { pid: 200, startTime: '1' },
  command: 'program',
  state,
  cpuMs: 0,
})

function createLook(overrides: Partial<ForegroundInspection> = {}): ForegroundInspection {
  return {
    pgid: 200,
    isTopLevel: false,
    members: [createMember('sleeping')],
    waits: [],
    waitsKnown: true,
    ...overrides,
  }
}

async function deliver(signal: TerminalSignal, look: ForegroundInspection | undefined, failure?: string) {
  const sent: unknown[] = []
  const outcome = await signalForegroundGroup({ inspect: async () => look }, signal, (pgid, each) => {
    if (failure !== undefined) throw Object.assign(new Error(failure), { code: failure })
    sent.push([pgid, each])
  })
  return { outcome, sent }
}

describe('signalForegroundGroup', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGTSTP', 'SIGHUP', 'SIGCONT'] as const)('delivers %s', async (signal) => {
    expect(await deliver(signal, createLook())).toEqual({ outcome: { kind: 'sent', pgid: 200 }, sent: [[200, signal]] })
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'continues a stopped group so that %s takes effect',
    async (signal) => {
      const { sent } = await deliver(
        signal,
        createLook({ members: [createMember('sleeping'), createMember('stopped')] }),
      )
      expect(sent).toEqual([
        [200, signal],
        [200, 'SIGCONT'],
      ])
    },
  )

  it.each(['SIGTSTP', 'SIGKILL', 'SIGCONT'] as const)('sends a stopped group nothing beside %s', async (signal) => {
    const { sent } = await deliver(signal, createLook({ members: [createMember('stopped')] }))
    expect(sent).toEqual([[200, signal]])
  })

  it('refuses to kill the top-level program and says what to do instead', async () => {
    const { outcome, sent } = await deliver('SIGKILL', createLook({ isTopLevel: true }))
    expect(outcome).toMatchObject({ kind: 'refused', code: 'SHELL_KILL', message: expect.stringContaining('Close') })
    expect(sent).toEqual([])
  })

  it.each([
    ['the group cannot be told', undefined],
    ['no member of the group is ours', createLook({ members: [] })],
    ['all members have ended', createLook({ members: [createMember('zombie')] })],
  ])('signals nothing when %s', async (_title, look) => {
    const { outcome, sent } = await deliver('SIGINT', look)
    expect(outcome).toMatchObject({ kind: 'refused', code: 'NO_FOREGROUND' })
    expect(sent).toEqual([])
  })

  it.each([
    ['ESRCH', 'NO_FOREGROUND'],
    ['EPERM', 'SIGNAL_FAILED'],
  ])('reports %s as %s', async (failure, code) => {
    expect((await deliver('SIGINT', createLook(), failure)).outcome).toMatchObject({ kind: 'refused', code })
  })
})

describe('signalling a real foreground', () => {
  useBaseline()

  async function openShell() {
    const bash = await startBash()
    const { pid, ttyPath } = bash
    const inspector = createInspector({ platform: process.platform, arch: process.arch, rootPid: pid, ttyPath })
    const waitForForeground = (command: string) =>
      waitUntil(`${command} is in the foreground`, async () =>
        ((await inspector.inspect())?.members ?? []).some((member) => member.command === command),
      )
    return {
      bash,
      inspector,
      waitForForeground,
      async [Symbol.asyncDispose]() {
        inspector.close()
        await bash.end()
      },
    }
  }

  it('interrupts a raw-mode program that discards what it reads', async () => {
    await using shell = await openShell()
    const { bash, inspector } = shell
    const script =
      'import tty,sys; tty.setraw(0); sys.stdout.write("up"+"now"); sys.stdout.flush()\nwhile 1: sys.stdin.read(1)'
    bash.write(`python3 -c '${script}'\r`)
    await bash.waitForOutput('upnow')
    expect(await signalForegroundGroup(inspector, 'SIGINT')).toMatchObject({ kind: 'sent' })
    await bash.waitForOutput('KeyboardInterrupt')
    await bash.waitForOutput('ready> ')
  })

  it('reaches the foreground program and not the shell', async () => {
    await using shell = await openShell()
    const { bash, inspector, waitForForeground } = shell
    bash.write('sleep 50\r')
    await waitForForeground('sleep')
    const outcome = await signalForegroundGroup(inspector, 'SIGKILL')
    expect(outcome).toMatchObject({ kind: 'sent' })
    expect(outcome).not.toMatchObject({ pgid: bash.pid })
    await bash.waitForOutput('Killed')
    await bash.waitForOutput('ready> ')
    expect(await signalForegroundGroup(inspector, 'SIGKILL')).toMatchObject({ code: 'SHELL_KILL' })
  })

  it('stops a job, after which the shell holds the foreground again', async () => {
    await using shell = await openShell()
    const { bash, inspector, waitForForeground } = shell
    bash.write('sleep 50\r')
    await waitForForeground('sleep')
    await signalForegroundGroup(inspector, 'SIGTSTP')
    await bash.waitForOutput('Stopped')
    await bash.waitForOutput('ready> ')
    expect(await inspector.foregroundGroup()).toBe(bash.pid)
  })

  it('interrupts a foreground program that was stopped from elsewhere', async () => {
    await using shell = await openShell()
    const { bash, inspector } = shell
    // Without job control the shell does not take the terminal back from a stopped program.
    bash.write('set +m; python3 -c "import os; print(chr(79)+chr(75)); os.kill(os.getpid(), 19)"; echo sta""tus $?\r')
    await bash.waitForOutput('OK')
    await waitUntil('the program is stopped', async () =>
      ((await inspector.inspect())?.members ?? []).some(({ state }) => state === 'stopped'),
    )
    await signalForegroundGroup(inspector, 'SIGTERM')
    await bash.waitForOutput('status 143')
  })

  it('finds no foreground once the program has ended', async () => {
    const { bash, inspector } = await openShell()
    await bash.end()
    expect(await signalForegroundGroup(inspector, 'SIGINT')).toMatchObject({ kind: 'refused', code: 'NO_FOREGROUND' })
    inspector.close()
  })
})
