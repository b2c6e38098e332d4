/** Sheet §19.7: actions and side effects. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createMemoryPair } from '../../src/protocol/index.js'
import { openClient } from '../support/clients.js'
import { ROOT, settle, T, Wire } from '../support/house.js'
import { useHouse } from '../support/use-house.js'
import { useShellHouse } from '../support/use-shell-house.js'

const at = useHouse()
const withShell = useShellHouse()
const input = (data: unknown) => ({ type: 'terminal/input', data })

describe('actions and side effects', () => {
  it('AC-1 input reaches the process unchanged, and the echo names its client and number', async () => {
    const { a, session } = await at.house.withT()
    const [echo] = await a.act(T, input('ls -l\r'))
    expect(session.inputs).toEqual(['ls -l\r'])
    expect(echo).toMatchObject({ channel: T, action: input('ls -l\r'), origin: { clientId: 'a', clientSeq: 1 } })
  })

  it('AC-2 the echo of input changes no state', async () => {
    const { a } = await at.house.withT()
    const before = await at.house.stateOf()
    await a.act(T, input('x'))
    expect(await at.house.stateOf()).toEqual(before)
  })

  it('AC-3 the process receives UTF-8, control characters included', async () => {
    const shell = await withShell.open()
    await shell.type('stty raw -echo; head -c 9 | od -An -tx1; stty sane; echo done$((1+1))\r')
    await shell.waitForOutput('head')
    await shell.type('é€\x01\x1b[A')
    await shell.waitForOutput('done2')
    expect(shell.output).toContain('c3 a9 e2 82 ac 01 1b 5b 41')
  })

  it('AC-4 of two sizes the last is in the state and in the process', async () => {
    const shell = await withShell.open()
    shell.wire.dispatch(shell.uri, { type: 'terminal/resized', cols: 100, rows: 20 })
    shell.wire.dispatch(shell.uri, { type: 'terminal/resized', cols: 101, rows: 21 })
    await shell.type('stty size; echo end$((1+1))\r')
    await shell.waitForOutput('end2')
    expect(shell.output).toContain('21 101\r\n')
    const { snapshot } = (await shell.wire.request('subscribe', { channel: shell.uri })) as {
      snapshot: { state: object }
    }
    expect(snapshot.state).toMatchObject({ cols: 101, rows: 21 })
  })

  it('AC-5 a new title is in the state and in the list', async () => {
    const { a } = await at.house.withT()
    await a.act(T, { type: 'terminal/titleChanged', title: 'server' })
    expect((await at.house.stateOf()).title).toBe('server')
    expect(a.envelopes(ROOT).at(-1)).toMatchObject({ action: { terminals: [{ title: 'server' }] } })
    at.house.backend.last.emit({ type: 'title-changed', title: 'vim \x1b[31mnotes' })
    await settle()
    expect((await at.house.stateOf()).title).toBe('vim [31mnotes')
    expect(a.envelopes(ROOT).at(-1)).toMatchObject({ action: { terminals: [{ title: 'vim [31mnotes' }] } })
  })

  it('AC-6 clearing drops the content for all, and nothing else', async () => {
    const { a, session } = await at.house.withT()
    session.run('ls')(0)
    session.print('text')
    await settle()
    const before = await at.house.stateOf()
    await a.act(T, { type: 'terminal/cleared' })
    expect(await at.house.stateOf()).toEqual({ ...before, content: [] })
    expect([session.inputs, session.closes]).toEqual([[], 0])
  })

  it('AC-7 output that was read and not yet sent does not reappear after clearing', async () => {
    const { a, session } = await at.house.withT()
    session.print('sent ')
    await settle()
    session.print('held')
    await settle()
    await a.act(T, { type: 'terminal/cleared' })
    await at.house.pass(100)
    expect(a.envelopes(T).at(-1)?.action.type).toBe('terminal/cleared')
    expect((await at.house.stateOf()).content).toEqual([])
  })

  it('AC-8 the end comes after all output, once, with its code, then the list', async () => {
    const shell = await withShell.open()
    const onlooker = await withShell.house.readyWire('b', [ROOT])
    await onlooker.request('subscribe', { channel: shell.uri })
    await shell.type('seq 1 2000; exit 7\r')
    await onlooker.waitFor(() => onlooker.envelopes().at(-1)?.channel === ROOT)
    const envelopes = onlooker.envelopes()
    expect(envelopes.at(-2)).toMatchObject({ channel: shell.uri, action: { type: 'terminal/exited', exitCode: 7 } })
    expect(envelopes.at(-1)).toMatchObject({
      action: { terminals: [{ resource: shell.uri, lifecycle: { status: 'exited', exitCode: 7 } }] },
    })
    expect(onlooker.output(shell.uri)).toContain('\r\n1999\r\n2000\r\n')
    expect(envelopes.filter(({ action }) => action.type === 'terminal/exited')).toHaveLength(1)
    const { snapshot } = (await onlooker.request('subscribe', { channel: shell.uri })) as {
      snapshot: { state: object }
    }
    expect(snapshot.state).toMatchObject({ lifecycle: { status: 'exited', exitCode: 7 } })
    onlooker.close()
  })

  it('AC-9 an exited terminal can be followed and is listed until it is disposed of', async () => {
    const { a, session } = await at.house.withT()
    session.print('last words')
    session.exit(2)
    await settle()
    expect(await at.house.stateOf()).toMatchObject({
      lifecycle: { status: 'exited', exitCode: 2 },
      content: [{ value: 'last words' }],
    })
    expect(a.envelopes(ROOT).at(-1)).toMatchObject({ action: { terminals: [{ resource: T }] } })
  })

  it.each([
    { type: 'terminal/data', data: 'fake' },
    { type: 'terminal/exited', exitCode: 0 },
    { type: 'terminal/cwdChanged', cwd: 'file:///' },
    { type: 'terminal/commandExecuted', commandId: 'c', commandLine: 'x', timestamp: 1 },
    { type: 'terminal/commandFinished', commandId: 'c' },
    { type: 'terminal/commandDetectionAvailable' },
    { type: 'root/terminalsChanged', terminals: [] },
    { type: 'terminal/unheard' },
    { type: 'constructor' },
  ])('AC-10 $type is not a client’s to say', async (action) => {
    const { a } = await at.house.withT()
    const before = await at.house.stateOf()
    expect(await a.act(T, action)).toMatchObject([{ action, rejectionReason: 'not a client action' }])
    expect(await at.house.stateOf()).toEqual(before)
    expect(await a.act(ROOT, action)).toMatchObject([{ channel: ROOT, rejectionReason: 'not a client action' }])
  })

  it('AC-11 an action for a channel that does not exist meets silence', async () => {
    const { a, session } = await at.house.withT()
    expect(await a.act('ahp-terminal:/none', input('x'))).toEqual([])
    session.print('next')
    await settle()
    const numbers = a.envelopes().map(({ serverSeq }) => serverSeq)
    expect(numbers).toEqual([1, 2])
  })

  it('AC-12 a refusal is an echo with a reason and a number of its own', async () => {
    await at.house.withT()
    const b = await at.house.connect({ clientId: 'b' })
    const [first] = await b.act(T, input('x'))
    const [second] = await b.act(T, input('y'))
    expect(first).toMatchObject({
      action: input('x'),
      origin: { clientId: 'b', clientSeq: 1 },
      rejectionReason: 'claimed by another client',
    })
    expect(second?.serverSeq).toBe((first?.serverSeq ?? 0) + 1)
  })

  it('AC-13 only the connection that asked hears of a refusal', async () => {
    const { a } = await at.house.withT()
    const b = await at.house.connect({ clientId: 'b' })
    await at.house.subscribe(b)
    const before = a.messages.length
    await b.act(T, input('x'))
    expect(a.messages).toHaveLength(before)
    expect(b.envelopes(T)).toHaveLength(1)
  })

  it('AC-14 a refusal that leaves a wrong state is put right at once', async () => {
    const { a } = await at.house.withT()
    const b = await at.house.connect({ clientId: 'b' })
    await at.house.subscribe(b)
    const claim = { kind: 'client', clientId: 'a' }
    const wrong = [
      [
        { type: 'terminal/claimed', claim: { kind: 'client', clientId: 'b' } },
        { type: 'terminal/claimed', claim },
      ],
      [
        { type: 'terminal/resized', cols: 9, rows: 9 },
        { type: 'terminal/resized', cols: 80, rows: 24 },
      ],
      [
        { type: 'terminal/titleChanged', title: 7 },
        { type: 'terminal/titleChanged', title: 'shell' },
      ],
    ]
    for (const [action, truth] of wrong) {
      const [refusal, correction] = await b.act(T, action)
      expect(refusal).toHaveProperty('rejectionReason')
      expect(correction).toMatchObject({ action: truth, serverSeq: (refusal?.serverSeq ?? 0) + 1 })
      expect(correction).not.toHaveProperty('origin')
      expect(a.envelopes(T).at(-1)).toEqual(correction)
    }
  })

  it.each([
    { type: 'terminal/input' },
    { type: 'terminal/input', data: 7 },
    { type: 'terminal/resized', cols: 'x', rows: 2 },
    { type: 'terminal/resized', cols: 0, rows: 2 },
    { type: 'terminal/resized', cols: 2_000, rows: 24 },
    { type: 'terminal/claimed', claim: { clientId: 'a' } },
    { type: 'terminal/claimed' },
    { type: 'terminal/titleChanged' },
  ])('AC-15 %j is refused as malformed', async (action) => {
    const { a, session } = await at.house.withT()
    const [refusal] = await a.act(T, action)
    expect(refusal).toMatchObject({ rejectionReason: 'invalid payload' })
    expect([session.inputs, session.sizes]).toEqual([[], []])
  })

  it('AC-16 a number used twice stands for two actions', async () => {
    const { a, session } = await at.house.withT()
    a.dispatch(T, input('x'), 1)
    a.dispatch(T, input('y'), 1)
    await settle()
    expect(session.inputs).toEqual(['x', 'y'])
  })

  it('AC-17 numbers are unique and rise over all channels', async () => {
    const { a, session } = await at.house.withT()
    const other = await at.house.create(a, { uri: 'ahp-terminal:/u' })
    await at.house.subscribe(a, 'ahp-terminal:/u')
    for (let round = 0; round < 5; round++) {
      session.run('x')(0)
      other.print('y')
      await a.act('ahp-terminal:/u', { type: 'terminal/titleChanged', title: `t${round}` })
      await a.act(T, input('z'))
    }
    const numbers = a.envelopes().map(({ serverSeq }) => serverSeq)
    expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right))
    expect(numbers.length).toBeGreaterThan(25)
  })

  it('AC-18 who is not subscribed may act all the same', async () => {
    const a = await at.house.connect()
    const session = await at.house.create(a)
    expect(await a.act(T, input('x'))).toEqual([])
    expect(session.inputs).toEqual(['x'])
  })

  it('AC-19 after the exit input and sizes are refused, the rest goes on', async () => {
    const { a, session } = await at.house.withT()
    session.exit(0)
    await settle()
    const resized = { type: 'terminal/resized', cols: 9, rows: 9 }
    for (const action of [input('x'), resized]) {
      expect(await a.act(T, action)).toMatchObject([
        { rejectionReason: 'process has exited' },
        ...(action === resized ? [{}] : []),
      ])
    }
    for (const action of [
      { type: 'terminal/titleChanged', title: 'old one' },
      { type: 'terminal/cleared' },
      { type: 'terminal/claimed', claim: { kind: 'client', clientId: 'b' } },
    ]) {
      const [echo] = await a.act(T, action)
      expect(echo).toMatchObject({ action })
      expect(echo).not.toHaveProperty('rejectionReason')
    }
    expect(await at.house.stateOf()).toMatchObject({ title: 'old one', content: [], claim: { clientId: 'b' } })
  })

  it('AC-20 a change of directory is told as a file URI', async () => {
    const shell = await withShell.open()
    const directory = join(withShell.house.directory, 'a b')
    await mkdir(directory, { recursive: true })
    await shell.type("cd 'a b'\r")
    const cwd = pathToFileURL(directory).href
    await shell.wire.waitFor(() =>
      shell.wire.envelopes(shell.uri).some(({ action }) => action.type === 'terminal/cwdChanged'),
    )
    expect(shell.wire.envelopes(shell.uri).map(({ action }) => action)).toContainEqual({
      type: 'terminal/cwdChanged',
      cwd,
    })
  })

  it('AC-21 a client takes input from the host and changes nothing', async () => {
    const [mine, theirs] = createMemoryPair()
    const wire = new Wire(theirs)
    const { client } = openClient({ open: async () => mine })
    const answer = async (result: unknown) => {
      await settle()
      wire.raw(JSON.stringify({ jsonrpc: '2.0', id: wire.messages.at(-1)?.id, result }))
    }
    await answer({ protocolVersion: '1.0.0', serverSeq: 0, snapshots: [] })
    await settle()
    const subscribing = client.subscribeTerminal(T)
    const state = {
      title: 't',
      content: [],
      lifecycle: { status: 'running' },
      claim: { kind: 'client', clientId: 'b' },
    }
    await answer({ snapshot: { resource: T, fromSeq: 1, state } })
    const view = await subscribing
    const before = view.state
    wire.notify('action', { channel: T, serverSeq: 2, action: input('typed by an agent') })
    await settle()
    expect(view.state).toBe(before)
    expect(view.seq).toBe(2)
    client.close()
    await settle()
  })

  it('AC-22 payloads name neither terminal, session nor channel', async () => {
    const { a, session } = await at.house.withT()
    session.print('x')
    session.run('y')(0)
    await a.act(T, input('z'))
    await a.act(T, { type: 'terminal/resized', cols: 90, rows: 30 })
    session.exit(0)
    await settle()
    expect(a.envelopes().length).toBeGreaterThan(6)
    for (const { action } of a.envelopes()) {
      for (const key of ['terminal', 'session', 'channel']) expect(action).not.toHaveProperty(key)
    }
  })

  it('shows the echo of input to its client alone when so configured, on reconnection too', async () => {
    const house = await at.rebuild({ inputEcho: 'originator' })
    const { a } = await house.withT()
    const b = await house.connect({ clientId: 'b' })
    await house.subscribe(b)
    await a.act(T, input('password\r'))
    expect(a.envelopes(T)).toHaveLength(1)
    expect(b.envelopes(T)).toEqual([])
    b.close()
    await settle()
    const params = { channel: ROOT, clientId: 'b', lastSeenServerSeq: 1, subscriptions: [T] }
    expect(await house.fresh().request('reconnect', params)).toMatchObject({ type: 'replay', actions: [] })
  })
})
