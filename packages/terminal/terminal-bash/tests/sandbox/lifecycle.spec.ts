/** Start, place, end and clean-up of confined terminals. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isAlive, readProcesses, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildConfinedHouse, type ConfinedHouse, listPrivateDirectories, RUNNERS } from '../support/confined-house.js'

useBaseline()

/** Names the daemons of this process among all that sleep on the machine. */
const SECONDS = 1_000_000 + process.pid

/** Daemons in every way they are made. */
const DAEMONS = [
  ['a background job', `sleep ${SECONDS} &`],
  ['one that ignores hang-ups', `nohup sleep ${SECONDS} >/dev/null 2>&1 &`],
  ['one with a session of its own', `setsid sleep ${SECONDS} >/dev/null 2>&1 </dev/null &`],
  ['one that forks twice', `(setsid sh -c 'sleep ${SECONDS} &' >/dev/null 2>&1 </dev/null)`],
  [
    'one that ignores every signal it can',
    `python3 -c "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; open('ready', 'w'); time.sleep(${SECONDS})" &`,
  ],
] as const

const findSleepers = () =>
  readProcesses().filter(({ pid }) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return line.includes(`sleep ${SECONDS}`) || line.includes(`sleep(${SECONDS})`)
    } catch {
      return false
    }
  })

/** Starts a program on each of so many terminals, waits for a line, and tells how many of the programs have left. */
const OPEN_TERMINALS = [
  'import os, pty, signal, sys',
  'pids = []',
  'for each in range(int(sys.argv[1])):',
  '  pid, fd = pty.fork()',
  '  pid or signal.pause()',
  '  pids.append(pid)',
  'input()',
  'print("left:", sum(os.waitpid(pid, os.WNOHANG)[0] != 0 for pid in pids))',
].join('\n')

/** The number of a process's terminal, N of `/dev/pts/N`: the low byte and the high bits of its minor number, proc(5). */
function readDeviceNumber(pid: number): number {
  const [, , , , device = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(device) & 0xff) | ((Number(device) >>> 12) & 0xfff00)
}

describe.each(RUNNERS)('a terminal in %s', (runner) => {
  let house: ConfinedHouse
  beforeAll(async () => {
    house = await buildConfinedHouse({ runner, shell: { disposeGraceMs: 300 } })
  })
  afterAll(() => house.close())

  it.each(DAEMONS)('takes along %s when it is closed', async (_name, line) => {
    const terminal = await house.open()
    await terminal.send(line)
    if (line.includes('ready')) await waitUntil('the program is up', () => existsSync(join(house.workspace, 'ready')))
    await waitUntil('the daemon runs', () => findSleepers().length === 1)
    expect(await terminal.close()).toEqual({ killed: true })
    expect(findSleepers()).toEqual([])
    rmSync(join(house.workspace, 'ready'), { force: true })
  })

  it('takes along what its shell left when it ended by itself', async () => {
    const terminal = await house.open()
    await terminal.send(`setsid sleep ${SECONDS} >/dev/null 2>&1 </dev/null &`)
    await waitUntil('the daemon runs', () => findSleepers().length === 1)
    await terminal.send('exit')
    await terminal.close()
    expect(findSleepers()).toEqual([])
  })

  it('takes along its shell when the owner ends', async () => {
    const agent = await house.ctx.agents.create({ cwd: house.workspace })
    const { pid } = await house.ctx.terminals.spawn(agent, { type: 'shell' })
    expect(isAlive(pid)).toBe(true)
    await agent.dispose()
    expect(isAlive(pid)).toBe(false)
  })
})

/** Nothing but a process namespace knows such a process any more: docs/security.md names the limit of the other runners. */
describe.each(RUNNERS.filter((runner) => runner === 'bwrap'))('a terminal in %s', (runner) => {
  it('takes along a daemon without parent, session, terminal and tag', async () => {
    const house = await buildConfinedHouse({ runner })
    const terminal = await house.open()
    await terminal.send(`env -i setsid sleep ${SECONDS} >/dev/null 2>&1 </dev/null &`)
    await waitUntil('the daemon runs', () => findSleepers().length === 1)
    await terminal.close()
    expect(findSleepers()).toEqual([])
    await house.close()
  })

  it('keeps what runs on terminals of its own while a neighbour closes whose device has the same number', async () => {
    const house = await buildConfinedHouse({ runner })
    const neighbour = await house.open()
    const terminal = await house.open()
    await terminal.send(`python3 -c '${OPEN_TERMINALS}' ${readDeviceNumber(neighbour.opened.pid) + 1}`)
    await neighbour.close()
    expect((await terminal.send('')).viewport.text).toBe('left: 0\n')
    await house.close()
  })
})

describe.each(RUNNERS)('the private directory in %s', (runner) => {
  let house: ConfinedHouse
  beforeEach(async () => {
    house = await buildConfinedHouse({ runner })
  })
  afterEach(() => house.close())

  it('is where temporary files go, is not shared, and goes with the terminal', async () => {
    const [one, two] = [await house.open(), await house.open()]
    await one.send('echo mine > "$TMPDIR/x"; mktemp')
    expect((await two.send('ls -A "$TMPDIR"')).viewport.text).toBe('')
    expect(listPrivateDirectories()).toHaveLength(2)
    await one.close()
    expect(listPrivateDirectories()).toHaveLength(1)
    await two.close()
    expect(listPrivateDirectories()).toEqual([])
  })

  it('stays while the terminal can be read after its shell ended, and goes with it', async () => {
    const terminal = await house.open()
    await terminal.send('kill -KILL $$')
    await terminal.close()
    expect(listPrivateDirectories()).toEqual([])
  })

  it('goes when the start fails', async () => {
    await expect(house.open({ cwd: join(house.workspace, 'missing') })).rejects.toMatchObject({ code: 'CWD_MISSING' })
    const broken = await buildConfinedHouse({ runner, shell: { shell: '/bin/false' } })
    await expect(broken.open()).rejects.toMatchObject({ code: 'SPAWN_FAILED' })
    expect(listPrivateDirectories()).toEqual([])
    await broken.close()
  })

  it('goes when the start is aborted', async () => {
    const abort = new AbortController()
    const opening = house.open({ signal: abort.signal })
    setImmediate(() => abort.abort('changed my mind'))
    await expect(opening).rejects.toBe('changed my mind')
    await waitUntil('nothing is left of the start', () => !house.ctx.terminals.hasOwnerActivity(house.agent))
    expect(listPrivateDirectories()).toEqual([])
  })

  it('goes when the whole host is disposed of', async () => {
    await house.open()
    await house.close()
    expect(listPrivateDirectories()).toEqual([])
  })
})

describe.each(RUNNERS)('the directory of a terminal in %s', (runner) => {
  let house: ConfinedHouse
  let below: string
  beforeAll(async () => {
    house = await buildConfinedHouse({ runner })
    below = realpathSync(mkdtempSync('/tmp/elsewhere-'))
    writeFileSync(join(below, 'seen'), 'seen\n')
  })
  afterAll(async () => {
    await house.close()
    rmSync(below, { recursive: true })
  })

  async function lookFrom(cwd: string): Promise<{ readonly pwd: string; readonly listing: string }> {
    const terminal = await house.open({ cwd })
    const pwd = (await terminal.send('pwd -P')).viewport.text.trim()
    const listing = (await terminal.send('cat seen; echo no > made')).viewport.text
    await terminal.close()
    return { pwd, listing }
  }

  it('outside the workspace and below /tmp can be read and not written', async () => {
    const { pwd, listing } = await lookFrom(below)
    expect(pwd).toBe(below)
    expect(listing).toMatch(/^seen\n.*(Read-only file system|Permission denied)\n$/)
    expect(existsSync(join(below, 'made'))).toBe(false)
  })

  it('behind a symlink is the one the symlink leads to', async () => {
    const link = join(house.outside, 'link')
    symlinkSync(below, link)
    expect((await lookFrom(link)).pwd).toBe(below)
  })

  it('below the workspace is the workspace’s own', async () => {
    const deep = join(house.workspace, 'a/b')
    mkdirSync(deep, { recursive: true })
    const terminal = await house.open({ cwd: deep })
    expect((await terminal.send('echo yes > made; cat made')).viewport.text).toBe('yes\n')
    expect(terminal.summary.cwd).toBe(deep)
    await terminal.close()
  })

  it('that the confinement replaces is refused with a code, or is the real one', async () => {
    const opening = house.open({ cwd: '/proc/sys' })
    if (runner === 'bwrap') {
      await expect(opening).rejects.toMatchObject({ code: 'CWD_HIDDEN', message: expect.stringContaining('/proc/sys') })
    } else {
      await (await opening).close()
    }
  })
})
