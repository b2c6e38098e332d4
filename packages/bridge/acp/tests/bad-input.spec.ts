/** Requests that cannot be served: each is answered with an error of its own, and the connection goes on. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestClient } from './client/test-client.js'
import { buildHouse, CARDS, disposeHouses, type House, send } from './house.js'

useBaseline()

let house: House
let client: TestClient
beforeEach(async () => {
  house = await buildHouse({ prompts: [[send('cat')], [], []] })
  client = house.connect({ meta: CARDS })
  await client.initialized
})
afterEach(disposeHouses)

/** What a request was answered with. */
async function refusalOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await answer }
  } catch (error) {
    const { code, message, data } = error as { code: number; message: string; data?: { code?: string } }
    return { code, message, reason: data?.code }
  }
}

const text = (content: string) => [{ type: 'text' as const, text: content }]

describe('a prompt', () => {
  test.each(['', 'nobody', '../../etc/passwd'])('for the unknown session %j is refused', async (sessionId) => {
    expect(await refusalOf(client.prompt(sessionId))).toMatchObject({ code: -32002, reason: 'UNKNOWN_SESSION' })
  })

  test('before any session is refused, and one can be opened afterwards', async () => {
    expect(await refusalOf(client.prompt('first'))).toMatchObject({ reason: 'UNKNOWN_SESSION' })
    expect(await client.open(house.cwd)).toMatch(/./)
  })

  test('for a closed session is refused', async () => {
    const sessionId = await client.open(house.cwd)
    await client.agent.request('session/close', { sessionId })
    expect(await refusalOf(client.prompt(sessionId))).toMatchObject({ code: -32002, reason: 'UNKNOWN_SESSION' })
  })

  test('for a session of another connection is refused', async () => {
    const sessionId = await client.open(house.cwd)
    const other = house.connect({ meta: CARDS })
    await other.initialized
    expect(await refusalOf(other.prompt(sessionId))).toMatchObject({ code: -32002, reason: 'UNKNOWN_SESSION' })
  })

  test('while another runs is refused, and the first goes on', async () => {
    const sessionId = await client.open(house.cwd)
    const first = client.prompt(sessionId)
    await client.until('the first has begun', () => client.callIds(sessionId).length > 0)
    expect(await refusalOf(client.prompt(sessionId))).toMatchObject({ code: -32600, reason: 'TURN_ACTIVE' })
    expect(await first).toEqual({ stopReason: 'end_turn' })
    expect(await client.prompt(sessionId)).toEqual({ stopReason: 'end_turn' })
  })

  test.each([
    ['no blocks', [], 'PROMPT_EMPTY'],
    ['blank text', text(' \n'), 'PROMPT_EMPTY'],
    ['an image', [{ type: 'image' as const, data: '', mimeType: 'image/png' }], 'CONTENT_UNSUPPORTED'],
  ])('of %s is refused', async (_, prompt, reason) => {
    const sessionId = await client.open(house.cwd)
    const answer = client.agent.request('session/prompt', { sessionId, prompt })
    expect(await refusalOf(answer)).toMatchObject({ code: -32602, reason })
  })

  test('whose turn fails is answered with the reason', async () => {
    const sessionId = await client.open(house.cwd)
    await client.prompt(sessionId)
    await client.prompt(sessionId)
    await client.prompt(sessionId)
    const answer = await refusalOf(client.prompt(sessionId))
    expect(answer).toMatchObject({ code: -32603, reason: 'TURN_FAILED', message: expect.stringContaining('script') })
  })
})

describe('a session', () => {
  test.each([
    ['relative', 'somewhere'],
    ['empty', ''],
    ['missing', '/nowhere/at/all'],
  ])('in a %s directory is refused', async (_, cwd) => {
    expect(await refusalOf(client.open(cwd))).toMatchObject({ code: -32602, reason: 'CWD_INVALID' })
    expect(house.root.agents.list()).toEqual([])
  })

  test('in a file is refused', async () => {
    const file = join(house.cwd, 'file')
    writeFileSync(file, '')
    expect(await refusalOf(client.open(file))).toMatchObject({ code: -32602, reason: 'CWD_INVALID' })
  })

  test('without a directory is refused', async () => {
    const answer = client.agent.request<unknown, unknown>('session/new', { mcpServers: [] })
    expect(await refusalOf(answer)).toMatchObject({ code: -32602 })
  })

  test('that was not kept cannot be loaded', async () => {
    const answer = client.agent.request('session/load', { sessionId: 'x', cwd: house.cwd, mcpServers: [] })
    expect(await refusalOf(answer)).toMatchObject({ code: -32002, reason: 'SESSION_NOT_KEPT' })
  })
})

describe('the wire', () => {
  test.each([
    ['no JSON', '{"jsonrpc":', -32700],
    ['a batch', '[]', -32600],
    ['no object', '42', -32600],
  ])('a line that is %s is answered with an error, and the next one is served', async (_, line, code) => {
    await house.write(`${line}\n`)
    await client.until('an error has come', () => client.wire.some((message) => 'error' in message))
    expect(client.wire).toContainEqual(expect.objectContaining({ id: null, error: expect.objectContaining({ code }) }))
    expect(await client.open(house.cwd)).toMatch(/./)
  })

  test('a method that does not exist is refused', async () => {
    expect(await refusalOf(client.agent.request('session/dance', {}))).toMatchObject({ code: -32601 })
  })

  test('a cancel for nothing is no error', async () => {
    await client.cancel('nobody')
    const sessionId = await client.open(house.cwd)
    await client.cancel(sessionId)
    expect(await client.prompt(sessionId)).toEqual({ stopReason: 'end_turn' })
  })

  test('a request that is cancelled is answered as such', async () => {
    const sessionId = await client.open(house.cwd)
    const cancel = new AbortController()
    const answer = client.agent.request(
      'session/prompt',
      { sessionId, prompt: text('go') },
      { cancellationSignal: cancel.signal },
    )
    await client.until('it has begun', () => client.callIds(sessionId).length > 0)
    cancel.abort()
    expect(await refusalOf(answer)).toMatchObject({ code: -32800 })
  })
})
