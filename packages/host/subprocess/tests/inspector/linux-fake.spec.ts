import { describe, expect, it } from 'vitest'
import { createInspector, type ProcessTable } from '../../src/inspector/index.js'
import { type FakeThread, renderCall } from '../support/fake-proc.js'
import { PROGRAM, SHELL, TTY, useFakeTerminal } from '../support/fake-program.js'

const READ = 0
const POLL = 7
const SELECT = 23
const NANOSLEEP = 35
const FUTEX = 202
const RESTART = 219
const EPOLL_WAIT = 232
const PSELECT = 270
const PPOLL = 271
const EPOLL_PWAIT2 = 441
const TIME = 8192
const ADDRESS = 4096

const terminal = useFakeTerminal()
const { openInspector, putForeground } = terminal

const putThreads = (threads: readonly FakeThread[], descriptors: Record<number, string> = { 0: TTY }) =>
  putForeground({ threads, descriptors })

/** A `struct timespec` or `struct timeval`. */
const time = (seconds: bigint, parts: bigint) => {
  const bytes = Buffer.alloc(16)
  bytes.writeBigInt64LE(seconds, 0)
  bytes.writeBigInt64LE(parts, 8)
  return bytes
}

const pollEntry = (fd: number, events: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeInt32LE(fd, 0)
  bytes.writeUInt16LE(events, 4)
  return bytes
}

describe('proof of a wait', () => {
  it('names a read of the terminal with its wake counter', async () => {
    putThreads([{ tid: PROGRAM, call: renderCall(READ, 0), switches: 12 }])
    expect(await openInspector().inspect()).toMatchObject({
      pgid: PROGRAM,
      isTopLevel: false,
      waits: [{ pid: PROGRAM, tid: PROGRAM, call: 'read', wakeups: 12 }],
      waitsKnown: true,
    })
  })

  it.each([
    ['another terminal', '/dev/pts/8'],
    ['a pipe', 'pipe:[1234]'],
    ['a file', '/tmp/pts/7'],
  ])('does not take a read of %s for one of this terminal', async (_title, target) => {
    putThreads([{ tid: PROGRAM, call: renderCall(READ, 0) }], { 0: target })
    expect(await openInspector().inspect()).toMatchObject({ waits: [], waitsKnown: true })
  })

  it('finds the terminal behind any descriptor and behind /dev/tty', async () => {
    putThreads([{ tid: PROGRAM, call: renderCall(READ, 9) }], { 0: 'pipe:[1]', 9: '/dev/tty' })
    expect((await openInspector().inspect())?.waits).toMatchObject([{ call: 'read' }])
  })

  it('finds a waiting thread that is not the first, in a member that is not the leader', async () => {
    terminal.proc.put({ pid: SHELL, foregroundPgid: PROGRAM, threads: [{ tid: SHELL, children: [PROGRAM, 300] }] })
    terminal.proc.put({
      pid: PROGRAM,
      parentPid: SHELL,
      sessionId: SHELL,
      threads: [{ tid: PROGRAM, call: renderCall(READ, 0) }],
      descriptors: { 0: 'pipe:[1]' },
    })
    terminal.proc.put({
      pid: 300,
      parentPid: SHELL,
      pgid: PROGRAM,
      sessionId: SHELL,
      threads: [
        { tid: 300, call: renderCall(FUTEX) },
        { tid: 301, call: renderCall(READ, 3), switches: 5 },
      ],
      descriptors: { 3: TTY },
    })
    expect((await openInspector().inspect())?.waits).toEqual([
      { pid: 300, tid: 301, call: 'read', wakeups: 5, sole: true },
    ])
  })

  it('does not take a stopped thread for a waiting one, though it shows the call it was stopped in', async () => {
    putForeground({
      state: 'T',
      threads: [{ tid: PROGRAM, call: renderCall(READ, 0), state: 'T' }],
      descriptors: { 0: TTY },
    })
    const look = await openInspector().inspect()
    expect(look).toMatchObject({ waits: [], waitsKnown: true })
    expect(look?.members[0]).toMatchObject({ state: 'stopped' })
  })

  it('does not take one that its debugger holds for a stopped one', async () => {
    putForeground({
      state: 't',
      threads: [{ tid: PROGRAM, call: renderCall(READ, 0), state: 't' }],
      descriptors: { 0: TTY },
    })
    const look = await openInspector().inspect()
    expect(look).toMatchObject({ waits: [], members: [{ state: 'unknown' }] })
  })

  it('reads the descriptors of a poll from memory', async () => {
    const poll = {
      threads: [{ tid: PROGRAM, call: renderCall(POLL, ADDRESS, 2, 0xffffffff) }],
      descriptors: { 4: TTY },
    }
    putForeground({ ...poll, memory: { [ADDRESS]: Buffer.concat([pollEntry(3, 1), pollEntry(4, 1)]) } })
    expect((await openInspector().inspect())?.waits).toMatchObject([{ call: 'poll', others: 1 }])
    putForeground({ ...poll, memory: { [ADDRESS]: Buffer.concat([pollEntry(3, 1), pollEntry(4, 4)]) } })
    expect((await openInspector().inspect())?.waits).toEqual([])
  })

  it('knows a poll again that is continued after a stop, by its registers', async () => {
    const memory = { [ADDRESS]: pollEntry(0, 1) }
    const put = (number: number, ...args: readonly number[]) =>
      putForeground({ threads: [{ tid: PROGRAM, call: renderCall(number, ...args) }], descriptors: { 0: TTY }, memory })
    const inspector = openInspector()
    put(POLL, ADDRESS, 1, 0xffffffff)
    await inspector.inspect()
    put(RESTART, ADDRESS, 1, 0xffffffff)
    expect(await inspector.inspect()).toMatchObject({ waits: [{ call: 'poll' }], waitsKnown: true })
    put(RESTART, ADDRESS, 1, 1000)
    expect(await inspector.inspect()).toMatchObject({ waits: [], waitsKnown: false })
  })

  it('reads the descriptors of a select from memory', async () => {
    const select = { threads: [{ tid: PROGRAM, call: renderCall(SELECT, 1, ADDRESS) }], descriptors: { 0: TTY } }
    putForeground({ ...select, memory: { [ADDRESS]: Uint8Array.of(1) } })
    expect((await openInspector().inspect())?.waits).toMatchObject([{ call: 'poll' }])
    putForeground({ ...select, memory: { [ADDRESS]: Uint8Array.of(2) } })
    expect((await openInspector().inspect())?.waits).toEqual([])
  })

  it('counts what a call watches for something else than input', async () => {
    const put = (call: string, memory: Readonly<Record<number, Uint8Array>>) =>
      putForeground({ threads: [{ tid: PROGRAM, call }], descriptors: { 0: TTY, 3: 'pipe:[1]' }, memory })
    put(renderCall(POLL, ADDRESS, 2, 0xffffffff), { [ADDRESS]: Buffer.concat([pollEntry(0, 1), pollEntry(3, 4)]) })
    expect((await openInspector().inspect())?.waits).toMatchObject([{ others: 1 }])
    put(renderCall(SELECT, 4, ADDRESS, TIME), { [ADDRESS]: Uint8Array.of(0b1), [TIME]: Uint8Array.of(0b1001) })
    expect((await openInspector().inspect())?.waits).toMatchObject([{ others: 1 }])
    put(renderCall(SELECT, 4, ADDRESS, 0, 0xdead), { [ADDRESS]: Uint8Array.of(0b1) })
    expect(await openInspector().inspect()).toMatchObject({ waits: [], waitsKnown: false })
  })

  describe('tells how long the call was asked to wait', () => {
    const MINUS_ONE = 0xffffffff
    const calls: readonly (readonly [string, string, Buffer | undefined, number | undefined])[] = [
      ['poll', renderCall(POLL, ADDRESS, 1, 250), undefined, 250],
      ['poll without limit', renderCall(POLL, ADDRESS, 1, MINUS_ONE), undefined, undefined],
      ['ppoll', renderCall(PPOLL, ADDRESS, 1, TIME), time(1n, 500_000_000n), 1_500],
      ['ppoll without limit', renderCall(PPOLL, ADDRESS, 1, 0), undefined, undefined],
      ['select', renderCall(SELECT, 1, ADDRESS, 0, 0, TIME), time(0n, 200_000n), 200],
      ['select without limit', renderCall(SELECT, 1, ADDRESS, 0, 0, 0), undefined, undefined],
      ['select with a limit that is not readable', renderCall(SELECT, 1, ADDRESS, 0, 0, TIME), undefined, undefined],
      ['pselect6', renderCall(PSELECT, 1, ADDRESS, 0, 0, TIME), time(0n, 200_000_000n), 200],
      ['epoll_wait', renderCall(EPOLL_WAIT, 13, ADDRESS, 64, 333), undefined, 333],
      ['epoll_wait without limit', renderCall(EPOLL_WAIT, 13, ADDRESS, 64, MINUS_ONE), undefined, undefined],
      ['epoll_pwait2', renderCall(EPOLL_PWAIT2, 13, ADDRESS, 64, TIME), time(2n, 0n), 2_000],
      ['read', renderCall(READ, 0), undefined, undefined],
    ]
    it.each(calls)('%s', async (_name, call, limit, timeoutMs) => {
      const isSelect = call.startsWith(`${SELECT} `) || call.startsWith(`${PSELECT} `)
      putForeground({
        threads: [{ tid: PROGRAM, call }],
        descriptors: { 0: TTY, 13: 'anon_inode:[eventpoll]' },
        descriptorInfo: { 13: 'pos:\t0\ntfd:        0 events:       19 data: 14\n' },
        memory: { [ADDRESS]: isSelect ? Uint8Array.of(1) : pollEntry(0, 1), ...(limit ? { [TIME]: limit } : {}) },
      })
      const waits = (await openInspector().inspect())?.waits
      expect(waits).toHaveLength(1)
      expect(waits?.[0]?.timeoutMs).toBe(timeoutMs)
    })
  })

  it('reads the interest list of an event loop', async () => {
    const loop = {
      threads: [{ tid: PROGRAM, call: renderCall(EPOLL_WAIT, 13, ADDRESS) }],
      descriptors: { 13: 'anon_inode:[eventpoll]', 20: TTY },
    }
    putForeground({ ...loop, descriptorInfo: { 13: 'pos:\t0\ntfd:       20 events:       19 data: 14\n' } })
    expect((await openInspector().inspect())?.waits).toMatchObject([{ call: 'epoll' }])
    putForeground({ ...loop, descriptorInfo: { 13: 'pos:\t0\ntfd:       20 events:        4 data: 14\n' } })
    expect((await openInspector().inspect())?.waits).toEqual([])
  })
})

describe('a wait that nothing within the process can end', () => {
  const MINUS_ONE = 0xffffffff
  const loop = (timeoutMs: number) => ({ tid: PROGRAM, call: renderCall(EPOLL_WAIT, 13, ADDRESS, 64, timeoutMs) })
  const own = { 13: 'anon_inode:[eventpoll]', 20: TTY, 15: 'pipe:[7]', 16: 'pipe:[7]', 17: 'anon_inode:[eventfd]' }
  const interests = (...fds: readonly number[]) => ({
    13: fds.map((fd) => `tfd: ${fd} events: 19 data: 1\n`).join(''),
  })
  const helper = (timeout: number) => ({ tid: 201, call: renderCall(FUTEX, ADDRESS, 0, 0, timeout) })
  const isSole = async () => (await openInspector().inspect())?.waits[0]?.sole

  it('is that of a loop over its own events, beside threads that wait for each other', async () => {
    putForeground({
      threads: [loop(MINUS_ONE), helper(0)],
      descriptors: own,
      descriptorInfo: interests(20, 15, 17),
    })
    expect(await isSole()).toBe(true)
  })

  it.each([
    ['one with a time limit', { threads: [loop(700)] }],
    [
      'one that watches a connection for its beginning',
      {
        descriptors: { ...own, 17: 'socket:[8]' },
        descriptorInfo: { 13: 'tfd: 20 events: 19 data: 1\ntfd: 17 events: 1c data: 1\n' },
      },
    ],
    ['one beside a child, in whatever group or session', { threads: [{ ...loop(MINUS_ONE), children: [SHELL] }] }],
    ['one beside a thread that works', { threads: [loop(MINUS_ONE), { tid: 201, call: 'running' }] }],
    ['one beside a thread that waits for a time', { threads: [loop(MINUS_ONE), helper(TIME)] }],
    ['one beside a thread in another call', { threads: [loop(MINUS_ONE), { tid: 201, call: renderCall(42) }] }],
    ['one that watches a connection', { descriptors: { ...own, 17: 'socket:[8]' } }],
    ['one that watches a clock', { descriptors: { ...own, 17: 'anon_inode:[timerfd]' } }],
    ['one that watches a pipe of another process', { descriptors: { ...own, 16: 'pipe:[9]' } }],
  ])('is not %s', async (_name, more) => {
    putForeground({ threads: [loop(MINUS_ONE)], descriptors: own, descriptorInfo: interests(20, 15, 17), ...more })
    expect((await openInspector().inspect())?.waits).toHaveLength(1)
    expect(await isSole()).toBeUndefined()
  })

  it('is not one whose time limit cannot be read', async () => {
    const select = { tid: PROGRAM, call: renderCall(PSELECT, 1, ADDRESS, 0, 0, TIME) }
    putForeground({ threads: [select], descriptors: { 0: TTY }, memory: { [ADDRESS]: Uint8Array.of(1) } })
    expect((await openInspector().inspect())?.waits).toHaveLength(1)
    expect(await isSole()).toBeUndefined()
  })
})

describe('what cannot be read', () => {
  it('is everything once this process has no descriptors left to read with', async () => {
    const fail = () => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    }
    const processTable: ProcessTable = {
      readStat: fail,
      readSyscall: fail,
      readStatus: fail,
      listThreads: fail,
      readChildren: fail,
      readDescriptor: fail,
      isSameDevice: fail,
      readDescriptorInfo: fail,
      readMemory: fail,
      readEnvironment: fail,
      readCommandLine: fail,
      readOwner: fail,
      listPids: fail,
      keepOnly() {},
      close() {},
    }
    const options = { platform: 'linux', arch: 'x64', rootPid: SHELL, ttyPath: TTY, processTable }
    const inspector = createInspector(options)
    expect(inspector.sources).toMatchObject({ foreground: false, ttyWaits: false })
    expect(await inspector.foregroundGroup()).toBeUndefined()
    expect(await inspector.inspect()).toBeUndefined()
  })

  it.each([
    ['the call of a thread', { threads: [{ tid: PROGRAM }] }],
    ['a call in a form that is not known', { threads: [{ tid: PROGRAM, call: 'what?' }] }],
    [
      'the memory of a polling program',
      { threads: [{ tid: PROGRAM, call: renderCall(POLL, ADDRESS, 1, 0xffffffff) }], descriptors: { 0: TTY } },
    ],
    [
      'memory that ends too soon',
      {
        threads: [{ tid: PROGRAM, call: renderCall(POLL, ADDRESS, 2, 0xffffffff) }],
        memory: { [ADDRESS]: pollEntry(0, 1) },
        descriptors: { 0: TTY },
      },
    ],
    ['an interest list', { threads: [{ tid: PROGRAM, call: renderCall(EPOLL_WAIT, 13) }] }],
    ['the descriptor of a read', { threads: [{ tid: PROGRAM, call: renderCall(READ, 0) }], descriptors: {} }],
    [
      'a poll that was continued after a stop',
      { threads: [{ tid: PROGRAM, call: renderCall(RESTART, ADDRESS, 1, 0xffffffff) }], descriptors: { 0: TTY } },
    ],
    [
      'the call of a 32-bit program, whose numbers mean other calls',
      {
        threads: [{ tid: PROGRAM, call: '0 0x0 0x0 0x0 0x0 0x0 0x0 0xffe01234 0xf7f01549' }],
        descriptors: { 0: TTY },
      },
    ],
  ])('counts %s as a miss and says so', async (_title, program) => {
    putForeground(program)
    const look = await openInspector().inspect()
    expect(look).toMatchObject({ waits: [], waitsKnown: false })
    expect(look?.members[0]).not.toHaveProperty('timedSleep')
  })

  it('proves nothing on an architecture without a table, and still names the members', async () => {
    putThreads([{ tid: PROGRAM, call: renderCall(READ, 0) }])
    const inspector = openInspector('riscv64')
    expect(inspector.sources).toMatchObject({ ttyWaits: false })
    expect(inspector.sources.notes.join()).toContain('riscv64')
    expect(await inspector.inspect()).toMatchObject({
      waits: [],
      waitsKnown: false,
      members: [{ identity: { pid: PROGRAM } }],
    })
  })

  it('uses the table of the named architecture', async () => {
    putThreads([{ tid: PROGRAM, call: renderCall(63, 0) }])
    expect((await openInspector('arm64').inspect())?.waits).toHaveLength(1)
    expect((await openInspector('x64').inspect())?.waits).toEqual([])
  })
})

describe('members', () => {
  it('reports state and CPU time of each', async () => {
    putForeground({ command: 'a (b) c', state: 'D', ticks: 7, threads: [{ tid: PROGRAM, call: renderCall(READ, 0) }] })
    expect((await openInspector().inspect())?.members).toMatchObject([
      { identity: { pid: PROGRAM, startTime: '1000' }, command: 'a (b) c', state: 'uninterruptible', cpuMs: 70 },
    ])
  })

  it('takes a zombie for what it is', async () => {
    putForeground({ state: 'Z' })
    expect(await openInspector().inspect()).toMatchObject({
      members: [{ state: 'zombie', timedSleep: false }],
      waits: [],
      waitsKnown: true,
    })
  })

  it.each([
    ['nanosleep', [{ tid: PROGRAM, call: renderCall(NANOSLEEP, ADDRESS) }], true],
    ['a continued clock_nanosleep', [{ tid: PROGRAM, call: renderCall(RESTART, 0, 0, ADDRESS) }], true],
    ['a select without descriptors', [{ tid: PROGRAM, call: renderCall(SELECT, 0, 0, 0, 0, ADDRESS) }], true],
    ['a poll without descriptors', [{ tid: PROGRAM, call: renderCall(POLL, 0, 0, 500) }], true],
    ['a poll that waits for ever', [{ tid: PROGRAM, call: renderCall(POLL, 0, 0, 0xffffffff) }], false],
    [
      'a sleeping thread beside one that waits for a connection',
      [
        { tid: PROGRAM, call: renderCall(43, 3) },
        { tid: 201, call: renderCall(NANOSLEEP, ADDRESS) },
      ],
      false,
    ],
    [
      'a sleeping thread beside helpers',
      [
        { tid: PROGRAM, call: renderCall(NANOSLEEP, ADDRESS) },
        { tid: 201, call: renderCall(FUTEX) },
      ],
      true,
    ],
  ])('judges %s', async (_title, threads, expected) => {
    putThreads(threads)
    expect((await openInspector().inspect())?.members[0]).toMatchObject({ timedSleep: expected })
  })

  it('still finds a member whose parent has left, once it was seen', async () => {
    terminal.proc.put({ pid: SHELL, foregroundPgid: PROGRAM, threads: [{ tid: SHELL, children: [PROGRAM] }] })
    terminal.proc.put({
      pid: PROGRAM,
      sessionId: SHELL,
      threads: [{ tid: PROGRAM, call: renderCall(READ, 0), children: [300] }],
    })
    terminal.proc.put({ pid: 300, pgid: PROGRAM, sessionId: SHELL, threads: [{ tid: 300, call: renderCall(READ, 0) }] })
    const inspector = openInspector()
    await inspector.inspect()
    terminal.proc.remove(PROGRAM)
    terminal.proc.put({ pid: SHELL, foregroundPgid: PROGRAM })
    expect((await inspector.inspect())?.members).toMatchObject([{ identity: { pid: 300 } }])
  })

  it('finds a pipeline’s member that joins the group after it was forked', async () => {
    terminal.proc.put({ pid: SHELL, foregroundPgid: PROGRAM, threads: [{ tid: SHELL, children: [PROGRAM, 300] }] })
    terminal.proc.put({ pid: PROGRAM, parentPid: SHELL, sessionId: SHELL })
    terminal.proc.put({ pid: 300, parentPid: SHELL, pgid: SHELL, sessionId: SHELL })
    const inspector = openInspector()
    expect((await inspector.inspect())?.members).toHaveLength(1)
    terminal.proc.put({ pid: 300, parentPid: SHELL, pgid: PROGRAM, sessionId: SHELL })
    expect((await inspector.inspect())?.members).toHaveLength(2)
  })

  it('does not take a new process for the one that had its pid before', async () => {
    putThreads([{ tid: PROGRAM, call: renderCall(READ, 0) }])
    const inspector = openInspector()
    await inspector.inspect()
    terminal.proc.put({ pid: SHELL, foregroundPgid: 300 })
    terminal.proc.put({ pid: PROGRAM, pgid: 300, sessionId: SHELL, startTime: '2000' })
    expect(await inspector.inspect()).toMatchObject({ pgid: 300, members: [] })
    terminal.proc.put({ pid: PROGRAM, pgid: 300, sessionId: SHELL, startTime: '1000' })
    expect(await openInspector().inspect()).toMatchObject({ pgid: 300, members: [] })
  })

  it('does not take a group of another session for ours', async () => {
    putForeground({ sessionId: 5 })
    expect(await openInspector().inspect()).toMatchObject({ members: [], waitsKnown: false })
  })
})

describe('the top level', () => {
  it('is the shell’s own group', async () => {
    terminal.proc.put({ pid: SHELL, threads: [{ tid: SHELL, call: renderCall(READ, 0) }], descriptors: { 0: TTY } })
    expect(await openInspector().inspect()).toMatchObject({ pgid: SHELL, isTopLevel: true })
  })

  it('is the shell behind a sandbox runner as well', async () => {
    terminal.proc.put({
      pid: SHELL,
      command: 'bwrap',
      foregroundPgid: 300,
      threads: [{ tid: SHELL, children: [PROGRAM] }],
    })
    terminal.proc.put({
      pid: PROGRAM,
      command: 'bwrap',
      parentPid: SHELL,
      pgid: SHELL,
      sessionId: SHELL,
      threads: [{ tid: PROGRAM, children: [300] }],
    })
    terminal.proc.put({ pid: 300, command: 'bash', parentPid: PROGRAM, sessionId: SHELL })
    expect(await openInspector().inspect()).toMatchObject({ pgid: 300, isTopLevel: true })
  })

  it('is unknown while the process has not started its own session: it shows the host’s terminal', async () => {
    terminal.proc.put({ pid: SHELL, sessionId: 50, foregroundPgid: 50 })
    const inspector = openInspector()
    expect(await inspector.foregroundGroup()).toBeUndefined()
    expect(await inspector.inspect()).toBeUndefined()
  })

  it('is unknown once the process has gone, and after close', async () => {
    terminal.proc.put({ pid: SHELL })
    const inspector = openInspector()
    expect(await inspector.foregroundGroup()).toBe(SHELL)
    inspector.close()
    inspector.close()
    expect(await inspector.foregroundGroup()).toBeUndefined()
    expect(await inspector.inspect()).toBeUndefined()
    terminal.proc.remove(SHELL)
    expect(await openInspector().inspect()).toBeUndefined()
  })
})
