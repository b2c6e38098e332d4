import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSessionStore } from '../src/session-store.js'
import { buildHouse, CARDS, disposeHouses, type House, send } from './house.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'acp-store-'))
})
afterEach(async () => {
  await disposeHouses()
  rmSync(directory, { recursive: true })
})

const createStore = () =>
  createSessionStore(directory, (error) => {
    throw error
  })
const build = (...prompts: Parameters<typeof buildHouse>[0]['prompts']) =>
  buildHouse({ prompts, config: { sessionsDirectory: directory } })

async function runSession(house: House) {
  const client = house.connect({ meta: CARDS })
  const sessionId = await client.open(house.cwd)
  await client.prompt(sessionId)
  return { client, sessionId }
}

test('a session is one file of JSON lines that only its user can read', async () => {
  const house = await build([])
  const { sessionId } = await runSession(house)
  await house.root.fiber.dispose()
  const file = join(directory, `${sessionId}.jsonl`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const types = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)
  expect([types[0], types.at(-1)]).toEqual(['session/started', 'turn/ended'])
})

test('what comes after a load is added to the same file, once', async () => {
  const first = await build([])
  const { sessionId } = await runSession(first)
  await first.root.fiber.dispose()
  const second = await build([], [])
  const client = second.connect({ meta: CARDS })
  await client.initialized
  await client.agent.request('session/load', { sessionId, cwd: second.cwd, mcpServers: [] })
  await client.prompt(sessionId)
  await second.root.fiber.dispose()
  const events = (await createStore().read(sessionId)) ?? []
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(events.filter(({ type }) => type === 'message/user')).toHaveLength(2)
})

test('a session that is open cannot be loaded a second time', async () => {
  const house = await build([])
  const { client, sessionId } = await runSession(house)
  const load = client.agent.request('session/load', { sessionId, cwd: house.cwd, mcpServers: [] })
  await expect(load).rejects.toMatchObject({ code: -32600, data: { code: 'SESSION_LIVE' } })
  const other = house.connect({ meta: CARDS })
  await other.initialized
  const elsewhere = other.agent.request('session/load', { sessionId, cwd: house.cwd, mcpServers: [] })
  await expect(elsewhere).rejects.toMatchObject({ code: -32600, data: { code: 'SESSION_LIVE' } })
})

test('a background command that was running is shown as interrupted', async () => {
  const house = await build([send('echo begun; sleep 300', { run_in_background: true })])
  const { sessionId } = await runSession(house)
  const kept = readFileSync(join(directory, `${sessionId}.jsonl`), 'utf8')
  await house.root.fiber.dispose()
  // As a host leaves it that was killed: without the end of anything.
  writeFileSync(join(directory, `${sessionId}.jsonl`), kept)
  const second = await build([])
  const client = second.connect({ meta: CARDS })
  await client.initialized
  await client.agent.request('session/load', { sessionId, cwd: second.cwd, mcpServers: [] })
  expect(client.violations()).toEqual([])
  expect(client.view(sessionId, client.callIds(sessionId).at(-1) ?? '')).toMatchObject({
    status: 'completed',
    card: { text: '[interrupted]\r\n' },
  })
})

test('half a line at the end, as a killed host leaves it, is left out', async () => {
  writeFileSync(join(directory, 'cut.jsonl'), '{"seq":1,"at":0,"type":"session/started","data":{"cwd":"/"}}\n')
  appendFileSync(join(directory, 'cut.jsonl'), '{"seq":2,"at":0,"type":"message/us')
  expect(await createStore().read('cut')).toHaveLength(1)
})

test.each(['', '.', '..', '../cut', 'a/b', 'a\u0000b', 'x'.repeat(200)])(
  'the id %j names no file',
  async (sessionId) => {
    expect(await createStore().read(sessionId)).toBeUndefined()
  },
)

test('a directory that cannot be made fails at once, and names the field', () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  for (const unusable of [file, join(file, 'below')]) {
    expect(() => createSessionStore(unusable, () => undefined)).toThrow(
      /^sessionsDirectory .*file.* cannot be used: .*\. Name a directory/,
    )
  }
})

test.skipIf(process.platform !== 'linux')('a directory below one that takes none fails as well (needs /proc)', () => {
  expect(() => createSessionStore('/proc/none/below', () => undefined)).toThrow(
    /^sessionsDirectory \/proc\/none\/below cannot be used: ENOENT/,
  )
})

test('a directory is made with what is missing above it, for its user alone', () => {
  const deep = join(directory, 'state', 'sessions')
  createSessionStore(deep, () => undefined)
  for (const each of [deep, join(deep, '..')]) expect(statSync(each).mode & 0o777).toBe(0o700)
})
