import { readdirSync, readlinkSync } from 'node:fs'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { ForegroundInspection } from '../../src/contract.js'
import { createInspector, createLinuxTable, type Inspector } from '../../src/inspector/index.js'
import { hasProgram } from '../support/programs.js'
import { type PtyProgram, startBash } from '../support/pty-program.js'

const releases: (() => unknown)[] = []
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release()
})

async function openShell(onRead?: () => void): Promise<{ bash: PtyProgram; inspector: Inspector }> {
  const bash = await startBash()
  releases.push(() => bash.end())
  const inspector = createInspector({
    platform: process.platform,
    arch: process.arch,
    rootPid: bash.pid,
    ttyPath: bash.ttyPath,
    ...(onRead && { processTable: createLinuxTable({ onRead }) }),
  })
  releases.push(() => inspector.close())
  return { bash, inspector }
}

/** Look until the look is as described; the last one is returned. */
async function lookUntil(
  inspector: Inspector,
  what: string,
  isTrue: (look: ForegroundInspection) => boolean,
): Promise<ForegroundInspection> {
  let look: ForegroundInspection | undefined
  await waitUntil(what, async () => {
    look = await inspector.inspect()
    return look !== undefined && isTrue(look)
  })
  if (look === undefined) throw new Error('no look was taken')
  return look
}

const runs = (command: string) => (look: ForegroundInspection) =>
  look.members.some((member) => member.command === command)

describe.skipIf(process.platform !== 'linux')('the Linux inspector (needs procfs)', () => {
  useBaseline()

  it('proves that a shell waits at its prompt', async () => {
    const { bash, inspector } = await openShell()
    const look = await lookUntil(inspector, 'the shell waits', ({ waits }) => waits.length > 0)
    expect(look).toMatchObject({
      pgid: bash.pid,
      isTopLevel: true,
      waitsKnown: true,
      waits: [{ pid: bash.pid, call: 'poll' }],
    })
    expect(inspector.sources).toMatchObject({ inspector: 'linux', foreground: true, ttyWaits: true, notes: [] })
  })

  const waiting: readonly (readonly [program: string, command: string, call: string])[] = [
    ['cat', 'cat', 'read'],
    ['less', 'less /etc/passwd', 'read'],
    ['python3', 'python3 -q', 'poll'],
    ['python3', 'python3 -c "import getpass; getpass.getpass()"', 'read'],
    [
      'python3',
      `python3 -c "import threading; threading.Thread(target=input).start(); threading.Event().wait()"`,
      'read',
    ],
    ['node', 'node', 'epoll'],
    ['gdb', 'gdb -q', 'poll'],
    ['ssh-keygen', 'ssh-keygen -q -t ed25519 -f /nonexistent/key', 'read'],
    ['head', 'head -1 | cat', 'read'],
  ]
  for (const [program, command, call] of waiting) {
    it.skipIf(!hasProgram(program))(`proves the wait of: ${command} (needs ${program})`, async () => {
      const { bash, inspector } = await openShell()
      bash.write(`${command}\r`)
      const look = await lookUntil(
        inspector,
        `${program} waits`,
        (each) => runs(program)(each) && each.waits.length > 0,
      )
      expect(look.isTopLevel).toBe(false)
      expect(look.waits).toMatchObject([{ call }])
    })
  }

  it.each([
    ['sole', `process.stdin.on('data', () => {}); setTimeout(() => {}, 1)`, true],
    ['not sole beside a timer', `process.stdin.on('data', () => {}); setInterval(() => {}, 60_000)`, undefined],
    [
      'not sole beside a server',
      `process.stdin.on('data', () => {}); require('net').createServer().listen(0)`,
      undefined,
    ],
    [
      'not sole beside work of another thread',
      `process.stdin.on('data', () => {}); require('crypto').pbkdf2('a', 'b', 1e9, 64, 'sha1', () => {})`,
      undefined,
    ],
  ] as const)('says of an event loop’s wait that it is %s', async (_name, script, sole) => {
    const { bash, inspector } = await openShell()
    bash.write(`node -e "${script}; setImmediate(() => console.log('set'+'tled'))"\r`)
    await bash.waitForOutput('settled')
    const isWanted = ({ waits }: ForegroundInspection) =>
      waits.length > 0 && (sole === undefined || waits[0]?.sole === sole)
    const look = await lookUntil(inspector, 'node waits', (each) => runs('node')(each) && isWanted(each))
    expect(look.waits[0]?.sole).toBe(sole)
  })

  it('proves no wait for a program that reads a pipe', async () => {
    const { bash, inspector } = await openShell()
    bash.write('sleep 50 | cat\r')
    const look = await lookUntil(
      inspector,
      'both members have settled',
      ({ members }) =>
        members.length === 2 && members.some(({ command, timedSleep }) => command === 'sleep' && timedSleep),
    )
    await lookUntil(inspector, 'cat blocks', ({ members }) => members.every(({ state }) => state === 'sleeping'))
    expect(look).toMatchObject({ waits: [], waitsKnown: true })
  })

  it('counts on while a program consumes a line and waits again', async () => {
    const { bash, inspector } = await openShell()
    bash.write('cat\r')
    const before = await lookUntil(inspector, 'cat waits', (look) => runs('cat')(look) && look.waits.length > 0)
    bash.write('a line\r')
    await bash.waitForOutput(/a line\r\na line/)
    const after = await lookUntil(inspector, 'cat waits again', ({ waits }) => waits.length > 0)
    expect(after.waits[0]?.wakeups).toBeGreaterThan(before.waits[0]?.wakeups ?? Number.POSITIVE_INFINITY)
  })

  it.skipIf(!hasProgram('python3'))('knows a poll again after a stop (needs python3)', async () => {
    const { bash, inspector } = await openShell()
    bash.write('python3 -c "import select; p = select.poll(); p.register(0, 1); p.poll()"\r')
    const isPolling = (look: ForegroundInspection) => runs('python3')(look) && look.waits.length > 0
    await lookUntil(inspector, 'python polls', isPolling)
    bash.write('\x1a')
    await bash.waitForOutput('Stopped')
    await bash.waitForOutput('ready> ')
    bash.write('fg\r')
    expect(await lookUntil(inspector, 'python polls on', isPolling)).toMatchObject({ waits: [{ call: 'poll' }] })
  })

  it('gives the same counter as long as a program waits', async () => {
    const { bash, inspector } = await openShell()
    bash.write('cat\r')
    const first = await lookUntil(inspector, 'cat waits', (look) => runs('cat')(look) && look.waits.length > 0)
    for (let look = 0; look < 50; look++) expect((await inspector.inspect())?.waits).toEqual(first.waits)
  })

  it.skipIf(!hasProgram('perl'))('shows a select without descriptors as a timed sleep (needs perl)', async () => {
    const { bash, inspector } = await openShell()
    bash.write('perl -e "select undef, undef, undef, 50"\r')
    await lookUntil(inspector, 'perl sleeps', ({ members }) => members.some(({ timedSleep }) => timedSleep === true))
  })

  it('shows CPU time that a busy program uses', async () => {
    const { bash, inspector } = await openShell()
    bash.write('while :; do :; done\r')
    const cpuMs = (look: ForegroundInspection) => look.members[0]?.cpuMs ?? 0
    const before = await lookUntil(inspector, 'the loop runs', ({ waits }) => waits.length === 0)
    await lookUntil(inspector, 'it has used more', (look) => cpuMs(look) > cpuMs(before))
  })

  it('does not take a background reader that was stopped for a waiting one', async () => {
    const { bash, inspector } = await openShell()
    bash.write('cat &\r')
    await bash.waitForOutput('ready> ')
    const look = await lookUntil(inspector, 'the shell waits', ({ waits }) => waits.length > 0)
    expect(look.members.map(({ command }) => command)).toEqual(['bash'])
  })

  it('reads nothing while nobody asks, and the same for every look however many other processes run', async () => {
    let reads = 0
    const { inspector } = await openShell(() => reads++)
    await lookUntil(inspector, 'the shell waits', ({ waits }) => waits.length > 0)
    reads = 0
    const other = await startBash()
    releases.push(() => other.end())
    other.write('for i in $(seq 40); do sleep 50 & done; echo star""ted\r')
    await other.waitForOutput('started')
    expect(reads).toBe(0)
    await inspector.inspect()
    const readsPerLook = reads
    expect(readsPerLook).toBeLessThan(15)
    await other.end()
    reads = 0
    await inspector.inspect()
    expect(reads).toBe(readsPerLook)
  })

  it('reads background jobs again only when the foreground changes or time has passed', async () => {
    let reads = 0
    const { bash, inspector } = await openShell(() => reads++)
    bash.write('for i in $(seq 30); do sleep 50 & done; echo star""ted\r')
    await bash.waitForOutput('started')
    await lookUntil(inspector, 'the shell waits', ({ waits, isTopLevel }) => isTopLevel && waits.length > 0)
    const costs: number[] = []
    await waitUntil('both kinds of look were taken', async () => {
      reads = 0
      await inspector.inspect()
      costs.push(reads)
      return costs.some((cost) => cost > 60) && costs.some((cost) => cost < 15)
    })
    bash.write('fg\r')
    const look = await lookUntil(inspector, 'the job is in front', runs('sleep'))
    expect(look.isTopLevel).toBe(false)
  })

  it('keeps files of a program open while it stays in front, and no longer', async () => {
    const { bash, inspector } = await openShell()
    const keptOf = (pid: number) =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(`/proc/${pid}/`)
        } catch {
          return false
        }
      }).length
    bash.write('sleep 50\r')
    const look = await lookUntil(inspector, 'the program is in front', runs('sleep'))
    const [pid = 0] = look.members.map(({ identity }) => identity.pid)
    await inspector.inspect()
    await inspector.inspect()
    expect(keptOf(pid)).toBeGreaterThan(1)
    bash.write('\x03')
    await lookUntil(inspector, 'the shell is back', ({ isTopLevel }) => isTopLevel)
    expect(keptOf(pid)).toBe(0)
  })

  it('answers nothing after the shell has gone', async () => {
    const { bash, inspector } = await openShell()
    await bash.end()
    expect(await inspector.foregroundGroup()).toBeUndefined()
    expect(await inspector.inspect()).toBeUndefined()
  })
})
