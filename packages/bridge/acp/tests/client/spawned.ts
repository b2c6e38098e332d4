/** A test client for an agent in a process of its own. */
import type { ChildProcessByStdio } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { type ClientOptions, TestClient } from './test-client.js'

export interface SpawnedClient {
  readonly client: TestClient
  /** Everything the process has written to its standard output, line by line. */
  lines(): readonly string[]
}

export function connectProcess(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  options: ClientOptions = {},
): SpawnedClient {
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
  })
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>
  const client = new TestClient(ndJsonStream(Writable.toWeb(child.stdin), input), options)
  return { client, lines: () => text.split('\n').filter((line) => line !== '') }
}
