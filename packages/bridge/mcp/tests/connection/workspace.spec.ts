import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildHouse, call, type House, openShell, send } from '../house.js'

useBaseline()

let house: House
let inner: string
beforeAll(async () => {
  house = await buildHouse({ mode: 'workspace-write' })
  inner = join(house.workspace, 'project')
  mkdirSync(inner)
  writeFileSync(join(house.workspace, 'file'), '')
  symlinkSync('/usr', join(house.workspace, 'way-out'))
})
afterAll(() => house.dispose())

/** Where a terminal starts, and whether it may write in two places. */
async function look(options: Parameters<House['connect']>[0]) {
  const link = await house.connect(options)
  const sessionId = await openShell(link.client)
  const { structuredContent } = await send(link.client, sessionId, 'pwd')
  const [inside, beside] = [join(inner, 'probe'), join(house.workspace, 'probe')]
  await send(link.client, sessionId, `rm -f ${inside} ${beside}; touch ${inside}; touch ${beside}`)
  const written = [inside, beside].map(existsSync)
  await send(link.client, sessionId, `rm -f ${inside} ${beside}`)
  await link.connection.close()
  return { cwd: String(structuredContent?.text).trim(), written, notices: [...link.notices] }
}

describe('in workspace-write', () => {
  test("the client's first root is the working directory, and all that may be written", async () => {
    expect(await look({ roots: [inner, house.workspace] })).toEqual({ cwd: inner, written: [true, false], notices: [] })
  })

  test('without roots the whole workspace of the composition is there', async () => {
    expect(await look({})).toEqual({ cwd: house.workspace, written: [true, true], notices: [] })
    expect(await look({ roots: [] })).toEqual({ cwd: house.workspace, written: [true, true], notices: [] })
  })

  test('a root outside is not taken, and that is said', async () => {
    const { cwd, written, notices } = await look({ roots: ['/usr'] })
    expect({ cwd, written }).toEqual({ cwd: house.workspace, written: [true, true] })
    expect(notices).toEqual([
      expect.stringMatching(
        /^The client's root \/usr is outside the workspace .* was not taken\. Start the server .* --root \/usr\.$/,
      ),
    ])
  })

  test('a root that is a way out by a symlink is not taken', async () => {
    const { cwd, notices } = await look({ roots: [join(house.workspace, 'way-out')] })
    expect(cwd).toBe(house.workspace)
    expect(notices).toHaveLength(1)
  })

  test('roots that are no directories of this machine are passed over', async () => {
    const roots = [
      'https://example.org/x',
      'file:///ghost',
      `file://${join(house.workspace, 'file')}`,
      'file://%',
      inner,
    ]
    expect((await look({ roots })).cwd).toBe(inner)
  })

  test('the root of the operator wins over those of the client', async () => {
    expect(await look({ config: { root: inner }, roots: [house.workspace] })).toEqual({
      cwd: inner,
      written: [true, false],
      notices: [],
    })
  })

  test('a root of the operator outside is refused, and nothing starts', async () => {
    const before = house.root.agents.list().length
    const { client, connection } = await house.connect({ config: { root: '/usr' } })
    await expect(openShell(client)).rejects.toThrow(/\/usr is outside the workspace/)
    expect(house.root.agents.list()).toHaveLength(before)
    await connection.close()
  })

  test('the client is told of a root that was not taken', async () => {
    const { client, connection } = await house.connect({ roots: ['/usr'] })
    const logged: unknown[] = []
    client.fallbackNotificationHandler = async (notification) => void logged.push(notification)
    await call(client, 'terminal_list', {})
    await client.ping()
    expect(logged).toContainEqual(
      expect.objectContaining({
        method: 'notifications/message',
        params: expect.objectContaining({ level: 'warning', data: expect.stringContaining('/usr') }),
      }),
    )
    await connection.close()
  })

  test('a client that never tells its roots does not hold up its calls', async () => {
    const { client, connection } = await house.connect({ roots: [], config: { rootsTimeoutMs: 20 } })
    client.setRequestHandler(
      (await import('@modelcontextprotocol/sdk/types.js')).ListRootsRequestSchema,
      () => new Promise(() => undefined),
    )
    expect((await send(client, await openShell(client), 'pwd')).structuredContent?.text).toBe(`${house.workspace}\n`)
    await connection.close()
  })
})

test('a mode of the connection holds for its agent only', async () => {
  expect((await look({ config: { sandbox: 'read-only' } })).written).toEqual([false, false])
  expect((await look({})).written).toEqual([true, true])
})

test('in read-only any root may be the working directory', async () => {
  const { cwd, written, notices } = await look({ config: { sandbox: 'read-only' }, roots: ['/usr'] })
  expect({ cwd, written, notices }).toEqual({ cwd: '/usr', written: [false, false], notices: [] })
})
