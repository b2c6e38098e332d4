/** The built command line serving, as a person has it: its links, its addresses, its end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { waitUntil } from '@agent-terminals/testing'
import { bin } from '../run-cli.js'

export interface Serving {
  readonly pid: number
  /** What it said first, with `--json`. */
  readonly said: {
    readonly link: string
    readonly ahp: { readonly url: string; readonly token: string }
    readonly mcp?: { readonly url: string; readonly token?: string }
  }
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  /** Ask for the end. @returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export async function startServing(
  args: readonly string[] = [],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Serving> {
  const child = spawn(process.execPath, [bin, 'serve', '--json', ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let hasClosed = false
  void closed.then(() => {
    hasClosed = true
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  await waitUntil('it serves', () => hasClosed || stdout.includes('\n'))
  if (hasClosed) throw new Error(`the server ended: ${stderr}`)
  return {
    pid: child.pid ?? 0,
    said: JSON.parse(stdout.split('\n')[0] ?? '') as Serving['said'],
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await closed
      return child.exitCode
    },
  }
}

/** @returns the status with which an upgrade is answered: 101 opens a WebSocket. */
export function knock(address: string): Promise<number | undefined> {
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

/** Sign in with a link, as the page does. */
export async function signIn(
  link: string,
): Promise<{ readonly status: number; readonly token?: string; readonly code?: string }> {
  const url = new URL(link)
  const response = await fetch(new URL('/session', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link: url.hash.replace('#link=', '') }),
  })
  return { status: response.status, ...((await response.json()) as { token?: string; code?: string }) }
}
