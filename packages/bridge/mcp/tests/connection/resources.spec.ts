import { createDeferred, useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildHouse, call, type House, type Link, openShell, send } from '../house.js'

useBaseline()

let house: House
let link: Link
beforeAll(async () => {
  house = await buildHouse()
  link = await house.connect({ config: { resourceIntervalMs: 10, maxResourceBytes: 1024 } })
})
afterAll(() => house.dispose())

/** Resolves with the URI of the next such notification. */
function nextNotification(method: string, isIt: (uri: unknown) => boolean = () => true): Promise<unknown> {
  const seen = createDeferred<unknown>()
  link.client.fallbackNotificationHandler = async (notification) => {
    const uri = notification.params?.uri
    if (notification.method === method && isIt(uri)) seen.resolve(uri)
  }
  return seen.promise
}

test('terminals come and go as resources, and that is announced', async () => {
  expect((await link.client.listResources()).resources).toEqual([])
  const opened = nextNotification('notifications/resources/list_changed')
  const sessionId = await openShell(link.client, { name: 'build' })
  await opened
  expect((await link.client.listResources()).resources).toEqual([
    {
      uri: `terminal://${sessionId}`,
      name: 'build',
      description: `Scrollback of a terminal: shell, running, ${process.cwd()}`,
      mimeType: 'text/plain',
    },
  ])
  const ended = nextNotification('notifications/resources/list_changed')
  await send(link.client, sessionId, 'exit 3')
  await ended
  expect((await link.client.listResources()).resources[0]?.description).toContain('exited (3)')
  const closed = nextNotification('notifications/resources/list_changed')
  await call(link.client, 'terminal_close', { sessionId })
  await closed
  expect((await link.client.listResources()).resources).toEqual([])
})

test('the scrollback is read as text, by pages, within the bound', async () => {
  const { client } = link
  const sessionId = await openShell(client)
  await send(client, sessionId, String.raw`printf '\033[31mred\033[0m\n'; seq 1 5`)
  const uri = `terminal://${sessionId}`
  const { contents } = await client.readResource({ uri })
  expect(contents[0]).toMatchObject({
    uri,
    mimeType: 'text/plain',
    text: expect.stringContaining('red\n1\n2\n3\n4\n5\n'),
  })
  const page = await client.readResource({ uri: `${uri}?lines=2&offset=1` })
  expect(page.contents[0]).toMatchObject({
    text: '4\n5',
    _meta: { 'agent-terminals/page': { truncated: false } },
  })
  await send(client, sessionId, 'seq 1 5000')
  const long = await client.readResource({ uri })
  const [first] = long.contents
  expect(first && 'text' in first && Buffer.byteLength(first.text)).toBeLessThanOrEqual(1024)
  expect(first).toMatchObject({ _meta: { 'agent-terminals/page': { omittedBytes: expect.any(Number) } } })
  await call(client, 'terminal_close', { sessionId })
})

test('a subscription tells of output, merged, until it ends', async () => {
  const { client } = link
  const sessionId = await openShell(client)
  const uri = `terminal://${sessionId}`
  await client.subscribeResource({ uri })
  const updated = nextNotification('notifications/resources/updated')
  await send(client, sessionId, 'echo out')
  expect(await updated).toBe(uri)

  await client.unsubscribeResource({ uri })
  let count = 0
  client.fallbackNotificationHandler = async ({ method }) => {
    if (method === 'notifications/resources/updated') count++
  }
  await send(client, sessionId, 'seq 1 2000')
  await client.ping()
  expect(count).toBe(0)
  await call(client, 'terminal_close', { sessionId })
})

test.each([
  'terminal://term-0000000000000000',
  'terminal://',
  'terminal://a/b',
  'terminal://a?lines=0',
  'file:///etc/passwd',
])('%s is not found', async (uri) => {
  await expect(link.client.readResource({ uri })).rejects.toMatchObject({ code: -32002 })
  await expect(link.client.subscribeResource({ uri })).rejects.toMatchObject({ code: -32002 })
})

test.each(['?lines=0', '?lines=-1', '?offset=x', '?lines=1&lines=2', '?page=1', '??', '?lines=1\noffset=2'])(
  'a terminal with %j after it says what may stand there',
  async (query) => {
    const uri = `terminal://${await openShell(link.client)}`
    await expect(link.client.readResource({ uri: uri + query })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('lines, from 1, and offset, from 0'),
      data: { uri: uri + query },
    })
  },
)

test('a closed terminal is not found any more', async () => {
  const sessionId = await openShell(link.client)
  await call(link.client, 'terminal_close', { sessionId })
  await expect(link.client.readResource({ uri: `terminal://${sessionId}` })).rejects.toMatchObject({ code: -32002 })
})

test('a template tells how to page', async () => {
  const { resourceTemplates } = await link.client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['terminal://{sessionId}{?lines,offset}'])
})

test('the guidance of mounted plugins is a prompt, and the instructions of the server', async () => {
  const { client } = link
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['terminal_guidance'])
  const { messages } = await client.getPrompt({ name: 'terminal_guidance' })
  expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: client.getInstructions() } }])
  expect(client.getInstructions()).toContain('terminal_list')
  await expect(client.getPrompt({ name: 'other' })).rejects.toMatchObject({ code: -32602 })
})
