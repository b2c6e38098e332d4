/** The endpoint with TLS, and the helper that opens WebSockets. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { AhpClient, openWebSocket, type WebSocketConstructor } from '../../src/client/index.js'
import { NodeWebSocket, ShellHouse } from '../support/shell-house.js'

useBaseline()

let directory: string
let house: ShellHouse
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tls-'))
  const [keyFile, certFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-days', '1', '-newkey', 'rsa:2048', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' })
  house = await ShellHouse.build({ host: '0.0.0.0', tls: { keyFile, certFile } })
})
afterAll(async () => {
  await house.dispose()
  rmSync(directory, { recursive: true })
})

/** Trusts the certificate of the test. */
class TrustingWebSocket extends WebSocket {
  constructor(url: string) {
    super(url, { rejectUnauthorized: false })
  }
}

describe('TLS', () => {
  it('serves clients on all addresses, encrypted', async () => {
    const { url, token } = house.root.ahp
    expect(url).toMatch(/^wss:\/\/0\.0\.0\.0:/)
    const address = `${url?.replace('0.0.0.0', '127.0.0.1')}?tkn=${token}`
    const Trusting = TrustingWebSocket as unknown as WebSocketConstructor
    const client = new AhpClient({ open: () => openWebSocket(address, { WebSocket: Trusting }) })
    await client.waitForReady()
    expect((await client.subscribeRoot()).state?.terminals).toEqual([])
    client.close()
  })

  it('is not spoken with a client that does not trust the certificate', async () => {
    const address = `${house.root.ahp.url?.replace('0.0.0.0', '127.0.0.1')}?tkn=${house.root.ahp.token}`
    await expect(openWebSocket(address, { WebSocket: NodeWebSocket })).rejects.toThrow('could not be opened')
    const client = new AhpClient({ open: () => openWebSocket(address, { WebSocket: NodeWebSocket }), reconnect: 'off' })
    await expect(client.waitForReady()).rejects.toThrow('could not be opened')
    expect(client.status.kind).toBe('closed')
  })
})
