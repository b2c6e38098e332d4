/** Sheet §19.11: volume. */
import { describe, expect, it } from 'vitest'
import { terminalMirror } from '../../src/client/mirror.js'
import { Outbox } from '../../src/host/outbox.js'
import {
  contentLength,
  MAX_PARTS,
  rawStream,
  type TerminalState,
  type Transport,
  trimContent,
} from '../../src/protocol/index.js'
import { ROOT, settle, T } from '../support/house.js'
import { useHouse } from '../support/use-house.js'
import { useShellHouse } from '../support/use-shell-house.js'

const at = useHouse()
const withShell = useShellHouse()

/** A transport whose peer has stopped to read after so many bytes. */
class StuckTransport implements Transport {
  readonly sent: string[] = []
  bufferedBytes = 0
  closed: number | undefined
  private listener: Parameters<Transport['listen']>[0] | undefined
  send(message: string): void {
    this.sent.push(message)
    this.bufferedBytes += message.length
  }
  close(code?: number): void {
    this.closed ??= code ?? 1000
    this.listener?.onClose()
  }
  listen(listener: Parameters<Transport['listen']>[0]): void {
    this.listener = listener
  }
  receive(message: object): void {
    this.listener?.onMessage(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }
  drain(): void {
    this.bufferedBytes = 0
    this.listener?.onDrain?.()
  }
  /** What a terminal printed, as it was sent. */
  get output(): string {
    return this.sent
      .map((text) => JSON.parse(text) as { params?: { action?: { type: string; data?: string } } })
      .map(({ params }) => (params?.action?.type === 'terminal/data' ? params.action.data : ''))
      .join('')
  }
}

describe('volume', () => {
  it('VO-1 a burst of 40 000 characters arrives whole and in order', async () => {
    const shell = await withShell.open()
    await shell.type("head -c 40000 /dev/zero | tr '\\0' x; seq 1 3000; echo end$((1+1))\r")
    await shell.waitForOutput('end2')
    const text = shell.output.slice(shell.output.indexOf('xxx'))
    expect(
      text.startsWith('x'.repeat(40_000) + Array.from({ length: 3_000 }, (_, index) => `${index + 1}\r\n`).join('')),
    ).toBe(true)
  })

  it('VO-2 a hundred writes within one interval take far fewer envelopes', async () => {
    const { a, session } = await at.house.withT()
    const text = Array.from({ length: 100 }, (_, index) => String(index % 10)).join('')
    for (const digit of text) session.print(digit)
    await at.house.pass(8)
    expect(a.output(T)).toBe(text)
    expect(a.envelopes(T).length).toBeLessThanOrEqual(2)
  })

  it('VO-3 a new snapshot holds the newest part within the limit, and agrees with an earlier copy', async () => {
    const house = await at.rebuild({ scrollbackUnits: 10_000 })
    const { a, session } = await house.withT()
    for (let line = 0; line < 4_000; line++) session.print(`line ${line}\r\n`)
    await house.pass(8)
    const { content } = await house.stateOf()
    const retained = rawStream(content)
    expect(retained.length).toBeLessThanOrEqual(10_000)
    expect(retained.length).toBeGreaterThan(4_000)
    expect(a.output(T).length).toBeGreaterThan(40_000)
    expect(a.output(T).endsWith(retained)).toBe(true)
    expect(retained.startsWith('line ')).toBe(true)
  })

  it('VO-4 trimming breaks no pair, and a command keeps id, line and flags', async () => {
    const house = await at.rebuild({ scrollbackUnits: 1_024 })
    const { session } = await house.withT()
    session.print('prompt$ ')
    session.run('flood')
    session.print('\u{1f600}'.repeat(2_001))
    await house.pass(8)
    const { content } = await house.stateOf()
    expect(content).toMatchObject([{ type: 'command', commandId: 'c1', commandLine: 'flood', isComplete: false }])
    expect(rawStream(content)).toMatch(/^(?:\u{1f600})+$/u)
    expect(contentLength(content)).toBeLessThanOrEqual(1_024)
    for (let limit = 0; limit < 9; limit++) {
      expect(rawStream(trimContent([{ type: 'unclassified', value: 'a\u{1f600}b\u{1f600}' }], limit))).not.toMatch(
        /^[\udc00-\udfff]/,
      )
    }
  })

  it('thousands of commands that print nothing are bounded too, here and in a copy', async () => {
    const { a, session } = await at.house.withT()
    const copy = terminalMirror(1 << 20)
    let mirrored = await at.house.stateOf()
    for (let command = 0; command < MAX_PARTS + 100; command++) session.run(`true ${command}`)(0)
    await at.house.pass(8)
    const { content } = await at.house.stateOf()
    for (const { action } of a.envelopes(T)) mirrored = copy.reduce(mirrored, action)
    expect(content.length).toBeLessThanOrEqual(MAX_PARTS)
    expect(content.at(-1)).toMatchObject({ commandLine: `true ${MAX_PARTS + 99}`, isComplete: true })
    expect(mirrored.content).toEqual(content)
  })

  it('VO-5 held output goes before a boundary, a clear or an exit, never after', async () => {
    const { a, session } = await at.house.withT()
    session.print('sent')
    await settle()
    session.print('1')
    const end = session.run('x')
    session.print('2')
    end(0)
    session.print('3')
    await a.act(T, { type: 'terminal/resized', cols: 90, rows: 20 })
    session.print('4')
    session.exit(0)
    await settle()
    const told = a
      .envelopes(T)
      .map(({ action }) => (action.type === 'terminal/data' ? action.data : action.type.slice(9)))
    expect(told).toEqual([
      'sent',
      '1',
      'commandDetectionAvailable',
      'commandExecuted',
      '2',
      'commandFinished',
      '3',
      'resized',
      '4',
      'exited',
    ])
  })

  it('VO-6 a client that does not read costs bounded memory, and comes back to a snapshot', async () => {
    const house = await at.rebuild({ sendHighWaterBytes: 4_096, maxHeldUnits: 65_536, scrollbackUnits: 20_000 })
    const { a, session } = await house.withT()
    const stuck = new StuckTransport()
    house.host.accept(stuck, { principal: 'owner' })
    stuck.receive({
      id: 1,
      method: 'initialize',
      params: { channel: ROOT, protocolVersions: ['1.0.0'], clientId: 's', initialSubscriptions: [T] },
    })
    for (let line = 0; line < 20; line++) session.print('x'.repeat(1_000))
    await house.pass(8)
    // Held output is merged into few messages, and nothing of it is lost when the client reads again.
    const before = stuck.sent.length
    stuck.drain()
    expect(stuck.sent.length - before).toBeLessThanOrEqual(3)
    expect(stuck.output).toBe(a.output(T))
    for (let line = 0; line < 200 && stuck.closed === undefined; line++) {
      session.print('y'.repeat(1_000))
      await house.pass(8)
    }
    expect(stuck.closed).toBe(4_000)
    expect(stuck.sent.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(65_536)
    expect(a.output(T)).toContain('y'.repeat(60_000))
    const params = { channel: ROOT, clientId: 's', lastSeenServerSeq: 1, subscriptions: [T] }
    expect(await house.fresh().request('reconnect', params)).toMatchObject({
      type: expect.stringMatching(/snapshot|replay/),
    })
  })

  it('VO-7 too much input, too large or too deep a message leads to a refusal or an end, never a crash', async () => {
    const house = await at.rebuild({
      maxFrameBytes: 8_192,
      maxInputUnits: 1_024,
      messagesPerSecond: 100,
      messageBurst: 200,
    })
    const { a, session } = await house.withT()
    expect((await a.act(T, { type: 'terminal/input', data: 'x'.repeat(1_025) }))[0]).toMatchObject({
      rejectionReason: 'input is too long',
    })
    expect((await a.act(T, { type: 'terminal/input', data: 'x'.repeat(1_024) }))[0]).not.toHaveProperty(
      'rejectionReason',
    )
    expect(session.inputs).toEqual(['x'.repeat(1_024)])
    a.raw('['.repeat(4_000))
    await settle()
    expect(a.messages.at(-1)).toMatchObject({ error: { code: -32600 } })
    const big = await house.connect({ clientId: 'big' })
    big.raw(' '.repeat(8_193))
    const fast = await house.connect({ clientId: 'fast' })
    for (let number = 0; number < 300; number++) fast.notify('x-noise', { channel: ROOT })
    await settle()
    expect([big.isClosed, fast.isClosed]).toEqual([true, true])
    expect(await a.request('ping')).toBeNull()
  })

  it('VO-8 a client that trims its copy applies later data rightly', async () => {
    const { openClient } = await import('../support/clients.js')
    const { client } = openClient({ open: async () => at.house.open(), maxContentUnits: 1_000 })
    await client.waitForReady()
    const view = await client.subscribeTerminal(await client.createTerminal({ uri: T }))
    const session = at.house.backend.last
    const end = session.run('flood')
    for (let line = 0; line < 500; line++) session.print(`line ${line}\r\n`)
    end(0)
    session.print('$ ')
    await at.house.pass(8)
    const host = rawStream((await at.house.stateOf()).content)
    const mine = rawStream((view.state as TerminalState).content)
    expect(mine.length).toBeLessThanOrEqual(1_000)
    expect(host.endsWith(mine)).toBe(true)
    expect(view.state?.content).toMatchObject([{ commandId: 'c1', isComplete: true, exitCode: 0 }, { value: '$ ' }])
    client.close()
    await settle()
  })

  it('VO-9 a program that asks for the cursor gets one answer, however many clients look on', async () => {
    const shell = await withShell.open()
    const other = await withShell.house.readyWire('b')
    await other.request('subscribe', { channel: shell.uri })
    await shell.type(
      'IFS= read -rsd R -t 5 -p $\'\\e[6n\' x; read -rsd R -t 0.3 y; printf \'x=%q y=%q end%d\\n\' "$x" "$y" 2\r',
    )
    await shell.waitForOutput('end2')
    expect(shell.output).toMatch(/x=\$'\\E\[\d+;\d+' y='' end2/)
    other.close()
  })

  it('never holds back a ping', () => {
    const stuck = new StuckTransport()
    const outbox = new Outbox(stuck, { sendHighWaterBytes: 1, maxHeldUnits: 1_000 })
    outbox.send('first')
    outbox.send('held')
    outbox.sendNow('pong')
    expect(stuck.sent).toEqual(['first', 'pong'])
    stuck.bufferedBytes = 0
    outbox.handleDrain()
    expect(stuck.sent).toEqual(['first', 'pong', 'held'])
  })
})
