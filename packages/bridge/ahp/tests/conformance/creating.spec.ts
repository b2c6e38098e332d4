/** Sheet §19.6: creating and disposing. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isAlive, waitUntil } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, type House, ROOT, settle, T, type Wire } from '../support/house.js'
import { useHouse } from '../support/use-house.js'
import { useShellHouse } from '../support/use-shell-house.js'

const at = useHouse()
const withShell = useShellHouse()
const claim = { kind: 'client', clientId: 'a' }
const sessionClaim = { kind: 'session', session: 'ahp-session:/s', chat: 'ahp-chat:/c' }

const create = (wire: Wire, params: object = {}) => wire.request('createTerminal', { channel: T, claim, ...params })

/** What others could notice: the numbers and the list. */
async function lookAround(house: House) {
  const wire = await house.connect({ clientId: 'onlooker', principal: 'onlooker', subscriptions: [ROOT] })
  wire.close()
  return wire.messages[0]?.result
}

describe('creating', () => {
  it('CR-1 answers null, and the list shows title, claim and a running lifecycle', async () => {
    const wire = await at.house.connect({ subscriptions: [ROOT] })
    expect(await create(wire, { name: 'build' })).toBeNull()
    const terminals = [{ resource: T, title: 'build', claim, lifecycle: { status: 'running' } }]
    const [envelope] = wire.envelopes(ROOT)
    expect(envelope).toEqual({ channel: ROOT, serverSeq: 1, action: { type: 'root/terminalsChanged', terminals } })
  })

  it('CR-2 name, directory and size are in the snapshot, and the process has them', async () => {
    const { house } = withShell
    await mkdir(join(house.directory, 'app'), { recursive: true })
    const cwd = pathToFileURL(join(house.directory, 'app')).href
    const wire = await house.readyWire('a')
    await create(wire, { channel: 'ahp-terminal:/cr2', name: 'build', cwd, cols: 111, rows: 33 })
    const { snapshot } = (await wire.request('subscribe', { channel: 'ahp-terminal:/cr2' })) as {
      snapshot: { state: object }
    }
    expect(snapshot.state).toMatchObject({ title: 'build', cwd, cols: 111, rows: 33, supportsCommandDetection: true })
    wire.dispatch('ahp-terminal:/cr2', { type: 'terminal/input', data: 'pwd; stty size; echo end$((1+1))\r' })
    await wire.waitFor(() => wire.output('ahp-terminal:/cr2').includes('end2\r\n'))
    expect(wire.output('ahp-terminal:/cr2')).toContain(`${join(house.directory, 'app')}\r\n33 111\r\n`)
    await wire.request('disposeTerminal', { channel: 'ahp-terminal:/cr2' })
  })

  it('CR-3 without them it is 80 by 24, with a title, in the default directory', async () => {
    await create(await at.house.connect())
    const cwd = pathToFileURL(at.house.directory).href
    expect(await at.house.stateOf()).toMatchObject({ cols: 80, rows: 24, title: 'shell', cwd })
  })

  it('CR-4 an empty name gives the default title', async () => {
    await create(await at.house.connect(), { name: '' })
    expect((await at.house.stateOf()).title).toBe('shell')
  })

  it('CR-5 nothing of it arrives without a subscription', async () => {
    const wire = await at.house.connect()
    const session = await at.house.create(wire)
    session.print('x')
    await at.house.pass(8)
    expect(wire.envelopes()).toEqual([])
  })

  it('CR-6 a URI in use is -32010, for others and after exit too, and the terminal is unharmed', async () => {
    const { a, session } = await at.house.withT()
    const b = await at.house.connect({ clientId: 'b' })
    expect(await codeOf(create(a))).toBe(-32010)
    expect(await codeOf(create(b, { claim: { kind: 'client', clientId: 'b' } }))).toBe(-32010)
    session.exit(0)
    await settle()
    expect(await codeOf(create(a))).toBe(-32010)
    expect(at.house.backend.sessions).toHaveLength(1)
    expect(session.closes).toBe(0)
  })

  it('CR-7 of two creations at once one succeeds, with one process', async () => {
    const a = await at.house.connect()
    const b = await at.house.connect({ clientId: 'b' })
    const results = await Promise.allSettled([create(a), create(b, { claim: { kind: 'client', clientId: 'b' } })])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: -32010 } })
    expect(at.house.backend.sessions).toHaveLength(1)
  })

  it.each([
    ['missing', undefined],
    ['of an unknown kind', { kind: 'ghost' }],
    ['without clientId', { kind: 'client' }],
    ['a session’s without chat', { kind: 'session', session: 'ahp-session:/s' }],
    ['no object', 'client'],
  ])('CR-8 a claim that is %s is -32602, and nothing is started', async (_what, each) => {
    expect(await codeOf(create(await at.house.connect(), { claim: each }))).toBe(-32602)
    expect(at.house.backend.sessions).toEqual([])
  })

  it('CR-9 a claim for another client is -32602', async () => {
    const wire = await at.house.connect()
    expect(await codeOf(create(wire, { claim: { kind: 'client', clientId: 'b' } }))).toBe(-32602)
  })

  it('CR-10 impossible sizes are -32602', async () => {
    const wire = await at.house.connect()
    for (const size of [0, -1, 1.5, '80', 65_536, 70_000]) {
      expect(await codeOf(create(wire, { cols: size })), String(size)).toBe(-32602)
      expect(await codeOf(create(wire, { rows: size })), String(size)).toBe(-32602)
    }
    expect(at.house.backend.sessions).toEqual([])
  })

  it('CR-11 a directory that is no local one is -32602, a missing one -32008, a file -32602', async () => {
    const wire = await at.house.connect()
    const { directory } = at.house
    await writeFile(join(directory, 'file'), '')
    for (const cwd of ['https://example.org/', 'file://otherhost/tmp', directory, 'file', '']) {
      expect(await codeOf(create(wire, { cwd })), cwd).toBe(-32602)
    }
    expect(await codeOf(create(wire, { cwd: pathToFileURL(join(directory, 'none')).href }))).toBe(-32008)
    expect(await codeOf(create(wire, { cwd: pathToFileURL(join(directory, 'file')).href }))).toBe(-32602)
  })

  it('CR-12 what cannot name a terminal is -32602', async () => {
    const wire = await at.house.connect()
    for (const channel of [
      ROOT,
      'ahp-root:',
      'ahp-session:/x',
      'ahp-chat:/x',
      'terminal',
      '/x',
      'ahp-terminal:',
      'a b:/x',
    ]) {
      expect(await codeOf(create(wire, { channel })), channel).toBe(-32602)
    }
  })

  it.each(['agenthost-terminal:/u', 'agenthost-terminal://auth/u', 'x-mine:1'])(
    'CR-13 %s is a terminal',
    async (channel) => {
      const wire = await at.house.connect({ subscriptions: [ROOT] })
      await create(wire, { channel })
      expect(wire.envelopes(ROOT).at(-1)).toMatchObject({ action: { terminals: [{ resource: channel }] } })
      expect(await wire.request('subscribe', { channel })).toMatchObject({ snapshot: { resource: channel } })
    },
  )

  it('CR-14 a creation that fails leaves no trace', async () => {
    const wire = await at.house.connect()
    const before = await lookAround(at.house)
    at.house.backend.openError = new Error('no device')
    expect(await codeOf(create(wire))).toBe(-32603)
    expect(await codeOf(create(wire, { cols: 2_000 }))).toBe(-32602)
    expect(await codeOf(create(wire, { cwd: 'file:///none-of-it' }))).toBe(-32008)
    expect(await lookAround(at.house)).toEqual(before)
    at.house.backend.openError = undefined
    expect(await create(wire)).toBeNull()
  })

  it('CR-15 what policy forbids is -32009', async () => {
    const forbidding = await at.rebuild({ createTerminals: 'forbidden' })
    expect(await codeOf(create(await forbidding.connect()))).toBe(-32009)
    const { directory } = forbidding
    await mkdir(join(directory, 'in'))
    await mkdir(join(directory, 'inside'))
    await symlink(directory, join(directory, 'in', 'out'))
    const rooted = await at.rebuild({ allowedRoots: [join(directory, 'in')] })
    const wire = await rooted.connect()
    for (const path of ['.', 'inside', 'in/../inside', 'in/out', 'none']) {
      expect(await codeOf(create(wire, { cwd: pathToFileURL(join(directory, path)).href })), path).toBe(-32009)
    }
    expect(await create(wire, { cwd: pathToFileURL(join(directory, 'in')).href })).toBeNull()
    const refusing = await at.rebuild({ foreignSessions: 'refused' })
    expect(await codeOf(create(await refusing.connect(), { claim: sessionClaim }))).toBe(-32602)
  })

  it('CR-16 a host without terminals of its own does not know the method', async () => {
    const house = await at.rebuild({ createTerminals: 'off' })
    expect(await codeOf(create(await house.connect()))).toBe(-32601)
  })
})

describe('disposing', () => {
  const dispose = (wire: Wire, channel = T) => wire.request('disposeTerminal', { channel })

  it('DI-1 ends the process and the channel, for all subscribers', async () => {
    const shell = await withShell.open()
    const other = await withShell.house.readyWire('b', [ROOT])
    await other.request('subscribe', { channel: shell.uri })
    await shell.type('echo pid=$$\r')
    const pid = Number((await shell.waitForMatch(/pid=(\d+)\r/))[1])
    expect(isAlive(pid)).toBe(true)
    expect(await dispose(shell.wire, shell.uri)).toBeNull()
    expect(isAlive(pid)).toBe(false)
    await other.waitFor(() => JSON.stringify(other.envelopes(ROOT).at(-1)?.action).endsWith('"terminals":[]}'))
    const seen = other.envelopes(shell.uri).length
    shell.wire.dispatch(shell.uri, { type: 'terminal/titleChanged', title: 'ghost' })
    await shell.wire.request('ping')
    expect(other.envelopes(shell.uri)).toHaveLength(seen)
    other.close()
  })

  it('DI-2 shows subscribers an exit without code before the list changes', async () => {
    const { a } = await at.house.withT()
    await dispose(a)
    const [exit, list] = a.envelopes().slice(-2)
    expect(exit).toMatchObject({ channel: T, action: { type: 'terminal/exited' } })
    expect(exit?.action).not.toHaveProperty('exitCode')
    expect(list).toMatchObject({ channel: ROOT, action: { terminals: [] } })
  })

  it('DI-3 shows no second exit of a terminal that had exited', async () => {
    const { a, session } = await at.house.withT()
    session.exit(0)
    await settle()
    await dispose(a)
    expect(a.envelopes(T).filter(({ action }) => action.type === 'terminal/exited')).toHaveLength(1)
    expect(a.envelopes(ROOT).at(-1)).toMatchObject({ action: { terminals: [] } })
  })

  it('DI-4 done again answers null and sends no list', async () => {
    const { a, session } = await at.house.withT()
    await Promise.all([dispose(a), dispose(a)])
    const lists = a.envelopes(ROOT).length
    expect(await dispose(a)).toBeNull()
    expect(a.envelopes(ROOT)).toHaveLength(lists)
    expect(session.closes).toBe(1)
    expect(await codeOf(dispose(a, ROOT))).toBe(-32602)
  })

  it('DI-5 is open to others than the holder', async () => {
    const { session } = await at.house.withT()
    expect(await dispose(await at.house.connect({ clientId: 'b' }))).toBeNull()
    expect(session.closes).toBe(1)
  })

  it('DI-6 frees the URI for a new terminal without the old content', async () => {
    const { a, session } = await at.house.withT()
    session.print('old')
    await settle()
    await dispose(a)
    await at.house.create(a)
    expect((await at.house.stateOf()).content).toEqual([])
  })

  it('DI-7 happens to the terminals of a session that ends, with the same signs', async () => {
    const { house } = at
    const a = await house.connect({ subscriptions: [ROOT] })
    const { agent, uri, claim: owner } = await house.agentTerminal()
    const given = await house.create(a, { uri: T, claim: owner })
    await house.subscribe(a, uri)
    await house.subscribe(a, T)
    await agent.dispose()
    await waitUntil(
      'both are gone',
      () => a.envelopes(ROOT).at(-1)?.action.type === 'root/terminalsChanged' && given.closes === 1,
    )
    await settle()
    expect(a.envelopes(uri).at(-1)?.action).toEqual({ type: 'terminal/exited' })
    expect(a.envelopes(T).at(-1)?.action).toEqual({ type: 'terminal/exited' })
    expect(a.envelopes(ROOT).at(-1)).toMatchObject({ action: { terminals: [] } })
  })

  it('DI-8 lets no output come after the end', async () => {
    const { a, session } = await at.house.withT()
    session.print('first')
    await settle()
    session.print('held back')
    await settle()
    const disposing = dispose(a)
    session.print('too late')
    await disposing
    await at.house.pass(100)
    const types = a.envelopes(T).map(({ action }) => action.type)
    expect(types.indexOf('terminal/exited')).toBe(types.length - 1)
    expect(a.output(T).startsWith('firstheld back')).toBe(true)
  })

  it('DI-9 may be followed by unsubscribing', async () => {
    const { a } = await at.house.withT()
    await dispose(a)
    const before = a.messages.length
    a.notify('unsubscribe', { channel: T })
    await settle()
    expect(a.messages).toHaveLength(before)
    expect(await codeOf(a.request('subscribe', { channel: T }))).toBe(-32008)
  })

  it('can be tried again when something could not be ended', async () => {
    const { a, session } = await at.house.withT()
    session.closeError = new Error('still running: 4243 sleep')
    await expect(dispose(a)).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('4243 sleep') })
    expect(a.envelopes(ROOT).at(-1)).toMatchObject({ action: { terminals: [{ lifecycle: { status: 'exited' } }] } })
    session.closeError = undefined
    expect(await dispose(a)).toBeNull()
    expect(a.envelopes(ROOT).at(-1)).toMatchObject({ action: { terminals: [] } })
  })
})
