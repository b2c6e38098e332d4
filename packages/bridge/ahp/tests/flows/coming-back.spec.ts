/** Connections that break: within the buffer, beyond it, and with the whole client. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type ChannelEvent, openWebSocket, RemoteTerminal } from '../../src/client/index.js'
import { rawStream, type TerminalState, type Transport } from '../../src/protocol/index.js'
import { bundleProgram } from '../support/bundle-program.js'
import { NodeWebSocket, ShellHouse } from '../support/shell-house.js'

useBaseline()

const houses: ShellHouse[] = []
async function build(config: Readonly<Record<string, unknown>> = {}): Promise<ShellHouse> {
  const house = await ShellHouse.build(config)
  houses.push(house)
  return house
}
afterEach(async () => {
  for (const house of houses.splice(0)) await house.dispose()
})

/** A client with a terminal, whose connection the test can cut and hold off. */
async function openClient(house: ShellHouse, retryMs = 5) {
  const transports: Transport[] = []
  let isHeldOff = false
  const client = await house.client({
    clientId: 'ui',
    reconnect: { firstMs: retryMs, longestMs: 4 * retryMs, jitter: 0 },
    open: async () => {
      if (isHeldOff) throw new Error('no network')
      const transport = await openWebSocket(house.address, { WebSocket: NodeWebSocket })
      transports.push(transport)
      return transport
    },
  })
  const view = await client.subscribeTerminal(await client.createTerminal())
  const kinds: string[] = []
  view.onEvent((event: ChannelEvent<TerminalState>) => kinds.push(event.type))
  return {
    client,
    view,
    kinds,
    terminal: new RemoteTerminal(client, view),
    output: () => rawStream(view.state?.content ?? []),
    cut() {
      isHeldOff = true
      transports.at(-1)?.close()
    },
    restore() {
      isHeldOff = false
    },
  }
}

/** Somebody else types while the client is away. */
async function typeMeanwhile(house: ShellHouse, uri: string, line: string, until: string): Promise<void> {
  const wire = await house.readyWire('ui')
  await wire.request('subscribe', { channel: uri })
  wire.dispatch(uri, { type: 'terminal/input', data: `${line}\r` })
  await wire.waitFor(() => wire.output(uri).includes(until))
  wire.close()
}

describe('coming back', () => {
  it('happens at once when somebody asks for it, and asking for it at other times changes nothing', async () => {
    const house = await build()
    const one = await openClient(house, 600_000)
    one.client.retryNow()
    expect(one.client.status.kind).toBe('ready')
    one.cut()
    await waitUntil('it waits', () => one.client.status.kind === 'waiting')
    one.restore()
    one.client.retryNow()
    one.client.retryNow()
    await one.client.waitForReady()
    expect((await one.terminal.rename('here again')).kind).toBe('accepted')
  })

  it('within the buffer brings exactly what was missed, as actions', async () => {
    const house = await build()
    const one = await openClient(house)
    one.cut()
    await waitUntil('it is gone', () => one.client.status.kind !== 'ready')
    await typeMeanwhile(house, one.view.uri, 'echo missed; echo end$((1+1))', 'end2\r\n')
    one.kinds.length = 0
    one.restore()
    await one.client.waitForReady()
    await waitUntil('it has what it missed', () => one.output().includes('end2\r\n'))
    expect(one.kinds).not.toContain('snapshot')
    expect(one.output().match(/missed\r\n/g)).toHaveLength(1)
    expect((await one.terminal.input('echo here\r')).kind).toBe('accepted')
  })

  it('beyond the buffer brings the present state, as a snapshot', async () => {
    const house = await build({ replayEntries: 4 })
    const one = await openClient(house)
    one.cut()
    await waitUntil('it is gone', () => one.client.status.kind !== 'ready')
    await typeMeanwhile(
      house,
      one.view.uri,
      'for i in 1 2 3 4 5 6 7 8; do echo line-$i; sleep 0.02; done; echo end$((1+1))',
      'end2\r\n',
    )
    one.kinds.length = 0
    one.restore()
    await one.client.waitForReady()
    await waitUntil('it has what it missed', () => one.output().includes('end2\r\n'))
    expect(one.kinds[0]).toBe('snapshot')
    const late = await house.client({ clientId: 'late' })
    const { state } = await late.subscribeTerminal(one.view.uri)
    await waitUntil('both copies are the same', () => JSON.stringify(one.view.state) === JSON.stringify(state))
  })

  it('keeps up with a terminal that never stops, over many breaks', async () => {
    const house = await build({ replayEntries: 60 })
    const one = await openClient(house)
    await one.terminal.input('for i in $(seq 1 1500); do echo line-$i; done; echo end$((1+1))\r')
    for (let round = 0; round < 5; round++) {
      one.cut()
      await waitUntil('it is gone', () => one.client.status.kind !== 'ready')
      one.restore()
      await one.client.waitForReady()
    }
    await waitUntil('it has the end', () => one.output().includes('end2\r\n'))
    const numbers = [...one.output().matchAll(/line-(\d+)\r\n/g)].map(([, number]) => Number(number))
    expect(numbers).toEqual(Array.from({ length: 1_500 }, (_, index) => index + 1))
  })

  it('is the same for a client that was killed: its terminal runs on, and it may type at once', async () => {
    const house = await build()
    const program = await bundleProgram(fileURLToPath(new URL('../support/client-program.ts', import.meta.url)))
    const child = spawn(process.execPath, [program.path, house.address], { stdio: ['ignore', 'pipe', 'inherit'] })
    const seen = await new Promise<{ uri: string; seq: number }>((resolve) => {
      child.stdout.once('data', (text: Buffer) => resolve(JSON.parse(text.toString())))
    })
    child.kill('SIGKILL')
    await new Promise((resolve) => child.on('close', resolve))
    const wire = await house.wire()
    const params = {
      channel: 'ahp-root://',
      clientId: 'killed',
      lastSeenServerSeq: seen.seq,
      subscriptions: [seen.uri],
    }
    expect(await wire.request('reconnect', params)).toMatchObject({ type: 'replay', missing: [] })
    wire.dispatch(seen.uri, { type: 'terminal/input', data: 'echo back-again\r' })
    await wire.waitFor(() => wire.output(seen.uri).includes('back-again\r\n'))
    await program.release()
  })
})
