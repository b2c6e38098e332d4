import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliResult, runCli } from './run-cli.js'

useBaseline()

const shipped = fileURLToPath(new URL('../cordis.yml', import.meta.url))
let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'serve-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

/** @returns the status with which an upgrade is answered: 101 opens a WebSocket. */
function knock(address: string): Promise<number | undefined> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  return new Promise((resolve, reject) => {
    const sent = request(address.replace(/^ws/, 'http'), { headers })
    sent.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(response.statusCode)
    })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Serve until `visit` is done with the address, then ask it to end. */
function serve(args: readonly string[], visit: (output: string) => Promise<void>): Promise<CliResult> {
  let isVisited = false
  let failure: unknown
  return runCli(['serve', ...args], {
    onOutput(stdout, kill) {
      if (isVisited || !stdout.includes('Ctrl-C')) return
      isVisited = true
      visit(stdout)
        .catch((error: unknown) => {
          failure = error
        })
        .finally(() => kill('SIGTERM'))
    },
  }).then((result) => {
    if (failure !== undefined) throw failure
    return result
  })
}

describe('serve', () => {
  it('prints an address whose token opens a WebSocket, and ends when asked', async () => {
    const statuses: (number | undefined)[] = []
    const result = await serve([], async (output) => {
      const address = /ws:\/\/127\.0\.0\.1:\d+\/\?tkn=\S+/.exec(output)?.[0] ?? ''
      statuses.push(await knock(address), await knock(address.replace(/\?.*/, '')), await knock(`${address}x`))
    })
    expect(statuses).toEqual([101, 401, 401])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    const token = /tkn=(\S+)/.exec(result.stdout)?.[1] ?? '-'
    expect(result.stdout.split(`Token, shown once: ${token}\n`)).toHaveLength(2)
  })

  it('says that its port is taken', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const result = await runCli(['serve', '--port', String(port)])
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('EADDRINUSE') })
    await new Promise((resolve) => taken.close(resolve))
  })

  it('serves as its composition says', async () => {
    const file = join(directory, 'own.yml')
    writeFileSync(
      file,
      `- name: "cordis:include"\n  config:\n    path: ${JSON.stringify(`file://${shipped}`)}\n- name: "@agent-terminals/ahp/host"\n  config:\n    token: a-token-of-my-own\n`,
    )
    const statuses: (number | undefined)[] = []
    const result = await serve(['--config', file], async (output) => {
      const address = /ws:\/\/127\.0\.0\.1:\d+\//.exec(output)?.[0] ?? ''
      statuses.push(await knock(`${address}?tkn=a-token-of-my-own`))
    })
    expect(statuses).toEqual([101])
    expect(result.code).toBe(0)
    const refused = await runCli(['serve', '--config', file, '--port', '0'])
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Set host and port there') })
  })

  it.each([
    [['--host', '0.0.0.0'], /not a loopback address[\s\S]*at host/],
    [['--port', '99999'], /--port must be a whole number/],
  ])('says why it does not start with %j', async (args, message) => {
    const result = await runCli(['serve', ...args])
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(message)
  })
})
