/** Sheet §19.12: security. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { Config } from '../../src/host/index.js'
import { codeOf, ROOT, settle, T } from '../support/house.js'
import { ShellHouse } from '../support/shell-house.js'
import { useHouse } from '../support/use-house.js'
import { useShellHouse } from '../support/use-shell-house.js'

const at = useHouse()
const withShell = useShellHouse()
const TOKEN = 'a-token-of-some-length'

interface Attempt {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
}

/** @returns 101 for an opened WebSocket, otherwise the status of the refusal. */
function knock(url: string, { path = '', headers = {}, protocols = [] }: Attempt = {}): Promise<number> {
  const socket = new WebSocket(`${url}${path}`, [...protocols], { headers })
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.on('close', () => resolve(101))
      socket.close()
    })
    socket.on('unexpected-response', (sent, response) => {
      resolve(response.statusCode ?? 0)
      response.resume()
      sent.destroy()
    })
    socket.on('error', () => {})
  })
}

const served: ShellHouse[] = []
async function serve(config: Readonly<Record<string, unknown>>): Promise<string> {
  const house = await ShellHouse.build(config)
  served.push(house)
  return house.root.ahp.url ?? ''
}
afterEach(async () => {
  for (const house of served.splice(0)) await house.dispose()
})

describe('security', () => {
  it('SE-1 listens on loopback only unless told otherwise', async () => {
    expect(withShell.house.root.ahp.url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/$/)
    const port = Number(new URL(withShell.house.root.ahp.url ?? '').port)
    const listening = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, local, , state]) =>
          state === '0A' && local?.endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`),
      )
    expect(listening.map(([, local]) => local?.slice(0, 8))).toEqual(['0100007F'])
  })

  it('SE-2 opens no WebSocket without the token or with a wrong one', async () => {
    const url = await serve({ token: TOKEN, principals: { second: 'another-token-here' } })
    expect(await knock(url)).toBe(401)
    expect(await knock(url, { path: '?tkn=' })).toBe(401)
    expect(await knock(url, { path: `?tkn=${TOKEN}x` })).toBe(401)
    expect(await knock(url, { headers: { authorization: 'Bearer wrong-token-wrong' } })).toBe(401)
    expect(await knock(url, { path: `?tkn=${TOKEN}` })).toBe(101)
    expect(await knock(url, { path: '?tkn=another-token-here' })).toBe(101)
    expect(await knock(url, { headers: { authorization: `Bearer ${TOKEN}` } })).toBe(101)
    expect(await knock(url, { protocols: [`ahp-token.${TOKEN}`] })).toBe(101)
  })

  it('SE-3 refuses pages of foreign origins, and names that are not its own', async () => {
    const url = await serve({ token: TOKEN, allowedOrigins: ['https://ui.example'] })
    const path = `?tkn=${TOKEN}`
    expect(await knock(url, { path, headers: { origin: 'https://evil.example' } })).toBe(403)
    expect(await knock(url, { path, headers: { origin: 'null' } })).toBe(403)
    expect(await knock(url, { path, headers: { origin: 'https://ui.example' } })).toBe(101)
    expect(await knock(url, { path, headers: { origin: url.replace(/^ws/, 'http').replace(/\/$/, '') } })).toBe(101)
    const { host } = new URL(url)
    const foreign = [
      'evil.example',
      'evil.example@127.0.0.1',
      'localhost/evil.example',
      'localhost?evil',
      'localhost#evil',
    ]
    for (const name of [...foreign, 'localhost\\evil', '[::1].evil.example', 'a:b@localhost', `${host}/`]) {
      expect([name, await knock(url, { path, headers: { host: name } })]).toEqual([name, 403])
    }
    for (const name of [host, 'localhost', 'LOCALHOST:80', '127.0.0.1:', '[::1]:8080', '10.0.0.1']) {
      expect([name, await knock(url, { path, headers: { host: name } })]).toEqual([name, 101])
    }
  })

  it('SE-4 refuses to start beyond loopback without TLS or an explicit word', () => {
    for (const host of ['0.0.0.0', '::', '192.168.0.7', 'example.org']) {
      const parsed = Config.safeParse({ host })
      expect(parsed.error?.issues[0]?.path).toEqual(['host'])
      expect(Config.safeParse({ host, allowInsecureHost: true }).success).toBe(true)
      expect(Config.safeParse({ host, tls: { certFile: 'c', keyFile: 'k' } }).success).toBe(true)
    }
    for (const host of ['127.0.0.1', '::1', 'localhost']) expect(Config.safeParse({ host }).success).toBe(true)
  })

  it('SE-5 titles are one line of text, without control or turning characters', async () => {
    const { a, session } = await at.house.withT()
    await a.act(T, { type: 'terminal/titleChanged', title: 'a\u202eb\x1b]0;x\x07\n<b>c</b>' })
    expect((await at.house.stateOf()).title).toBe('a b ]0;x <b>c</b>')
    session.emit({ type: 'title-changed', title: '\x07\x1b' })
    await settle()
    expect((await at.house.stateOf()).title).toBe('shell')
  })

  it('SE-6 logs hold neither content, input nor token', async () => {
    const shell = await withShell.open()
    const { house } = withShell
    await shell.type('echo secret-content\r')
    await shell.waitForOutput('secret-content\r\n')
    await shell.type('exit\r')
    await shell.wire.waitFor(() =>
      shell.wire.envelopes(shell.uri).some(({ action }) => action.type === 'terminal/exited'),
    )
    await shell.type('secret-input\r')
    shell.wire.raw('{"secret-frame":')
    await knock(house.root.ahp.url ?? '', { path: '?tkn=secret-token' })
    await shell.wire.request('ping')
    const logged = house.logged.join('\n')
    for (const secret of ['secret', house.root.ahp.token]) expect(logged).not.toContain(secret)
  })

  it('SE-7 the programs of a terminal see none of the host’s secrets', async () => {
    process.env.SECRET_OF_HOST_TOKEN = 'do-not-inherit'
    try {
      const shell = await withShell.open()
      await shell.type('env; echo end$((1+1))\r')
      await shell.waitForOutput('end2')
      expect(shell.output).not.toContain('do-not-inherit')
      expect(shell.output).not.toContain(withShell.house.root.ahp.token)
    } finally {
      delete process.env.SECRET_OF_HOST_TOKEN
    }
  })

  it('SE-8 refuses cleanly what is more than allowed', async () => {
    const house = await at.rebuild({ maxConnections: 2, maxSubscriptions: 2, maxTerminals: 2 })
    const { a } = await house.withT()
    await house.create(a, { uri: 'ahp-terminal:/2' })
    const claim = { kind: 'client', clientId: 'a' }
    expect(await codeOf(a.request('createTerminal', { channel: 'ahp-terminal:/3', claim }))).toBe(-32009)
    expect(await codeOf(a.request('subscribe', { channel: 'ahp-terminal:/2' }))).toBe(-32009)
    a.notify('unsubscribe', { channel: T })
    expect(await a.request('subscribe', { channel: 'ahp-terminal:/2' })).toMatchObject({ snapshot: {} })
    const b = await house.connect({ clientId: 'b', subscriptions: [ROOT] })
    const c = house.fresh()
    await settle()
    expect([b.isClosed, c.isClosed]).toEqual([false, true])
    const url = await serve({ token: TOKEN, maxConnections: 1 })
    const first = new WebSocket(`${url}?tkn=${TOKEN}`)
    await new Promise((resolve) => first.on('open', resolve))
    expect(await knock(url, { path: `?tkn=${TOKEN}` })).toBe(503)
    first.close()
  })

  it('gives other requests than upgrades to whoever takes them, and answers the rest itself', async () => {
    const url = await serve({ token: TOKEN })
    const { port } = new URL(url)
    const ask = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        request({ port, host: '127.0.0.1', headers: { host } }, (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode))
        })
          .on('error', reject)
          .end()
      })
    expect(await ask(`127.0.0.1:${port}`)).toBe(426)
    expect(await ask('evil.example')).toBe(403)
    const { ahp } = served.at(-1)?.root ?? withShell.house.root
    const releaseFailing = ahp.onRequest(() => {
      throw new Error('a page that fails')
    })
    expect(await ask('127.0.0.1')).toBe(500)
    releaseFailing()
    const release = ahp.onRequest((_request, response) => {
      response.writeHead(204).end()
      return true
    })
    expect(await ask('127.0.0.1')).toBe(204)
    release()
    expect(await ask('127.0.0.1')).toBe(426)
  })

  it('closes a connection that keeps sending what cannot be read', async () => {
    const wire = await at.house.connect()
    for (let number = 0; number < 16; number++) wire.raw('nonsense')
    await settle()
    expect(wire.isClosed).toBe(true)
  })
})
