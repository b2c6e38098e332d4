import { expect } from 'vitest'
import { buildHouse, CARDS, DELTA, runCalls, send } from '../house.js'
import { blockOf, concludeRun } from './reading.js'
import type { CaseRegistry } from './registry.js'

const hello = [send('echo hello')]
const wireText = (client: { readonly wire: readonly unknown[] }) => JSON.stringify(client.wire)

export function addGateCases({ case: one }: CaseRegistry): void {
  one(1, 'a card client gets terminal_output and never the delta key', async () => {
    const run = await runCalls(hello, { meta: CARDS })
    expect(concludeRun(run).text).toBe('hello\r\n')
    expect(wireText(run.client)).not.toContain('terminal_output_delta')
  })

  one(2, 'a delta client gets terminal_output_delta only', async () => {
    const run = await runCalls(hello, { meta: DELTA })
    expect(concludeRun(run).text).toBe('hello\r\n')
    expect(wireText(run.client)).not.toContain('"terminal_output"')
  })

  one(3, 'a client that advertises both gets the delta key', async () => {
    const run = await runCalls(hello, { meta: { ...CARDS, ...DELTA } })
    expect(concludeRun(run).text).toBe('hello\r\n')
    expect(wireText(run.client)).not.toContain('"terminal_output"')
  })

  one(4, 'a plain client gets one text block and no terminal key', async () => {
    const run = await runCalls(hello, {})
    expect(blockOf(run)).toBe('```console\nhello\n```')
    expect(wireText(run.client)).not.toContain('"terminal_')
    expect(wireText(run.client)).not.toContain('"type":"terminal"')
  })

  for (const value of ['true', 1, {}, null]) {
    one(5, `terminal_output ${JSON.stringify(value)} is a plain client`, async () => {
      const run = await runCalls(hello, { meta: { terminal_output: value } })
      expect(blockOf(run)).toBe('```console\nhello\n```')
      expect(wireText(run.client)).not.toContain('"terminal_')
    })
  }

  one(6, 'a plain client that runs terminals itself is not asked to', async () => {
    const run = await runCalls(hello, { capabilities: { terminal: true } })
    expect(blockOf(run)).toBe('```console\nhello\n```')
    expect(wireText(run.client)).not.toContain('terminal/create')
  })

  one(7, 'two connections keep their own gates', async () => {
    const house = await buildHouse({ prompts: [hello] })
    const clients = [house.connect({ meta: CARDS }), house.connect({}), house.connect({ meta: DELTA })]
    const runs = await Promise.all(
      clients.map(async (client) => {
        const sessionId = await client.open(house.cwd)
        const response = await client.prompt(sessionId)
        return { house, client, sessionId, response, callId: client.callIds(sessionId).at(-1) ?? '' }
      }),
    )
    const [cards, plain, delta] = runs
    if (!cards || !plain || !delta) throw new Error('three clients, three runs')
    expect(concludeRun(cards).text).toBe('hello\r\n')
    expect(blockOf(plain)).toBe('```console\nhello\n```')
    expect(concludeRun(delta).text).toBe('hello\r\n')
    expect(wireText(delta.client)).not.toContain('"terminal_output"')
  })
}
