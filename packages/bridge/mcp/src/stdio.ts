/** MCP over a pair of streams: one connection, which ends with the input. */
import type { Readable, Writable } from 'node:stream'
import type { Context } from '@deepseek-ai/cordis'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { ConnectionConfig } from './config.js'
import { type Connection, openConnection } from './connection/connection.js'
import { createHost } from './host.js'

export interface StdioOptions {
  readonly input: Readable
  /** Carries protocol only. */
  readonly output: Writable
  readonly config: ConnectionConfig
  readonly onNotice: (notice: string) => void
}

/** Bytes of answers that may wait for a client that does not read, before its requests wait too. */
const MAX_WAITING_OUTPUT_BYTES = 8_388_608

/** Take no more from a client that asks without reading the answers. @returns a release. */
function matchPaces(input: Readable, output: Writable): () => void {
  const resume = () => void input.resume()
  const handleData = () => {
    if (output.writableLength <= MAX_WAITING_OUTPUT_BYTES) return
    input.pause()
    output.once('drain', resume)
  }
  input.on('data', handleData)
  return () => {
    input.off('data', handleData)
    output.off('drain', resume)
  }
}

/** Serve one client. The end of its input, or an output that nobody reads any more, ends the connection. */
export async function serveStdio(ctx: Context, { input, output, config, onNotice }: StdioOptions): Promise<Connection> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: config.maxMessageBytes })
  const connection = await openConnection({ host: createHost(ctx), config, transport, onNotice })
  const releasePaces = matchPaces(input, output)
  const handleEnd = () => void transport.close()
  input.once('end', handleEnd)
  input.once('close', handleEnd)
  output.once('error', handleEnd)
  output.once('close', handleEnd)
  const release = () => {
    releasePaces()
    input.off('end', handleEnd)
    input.off('close', handleEnd)
    output.off('close', handleEnd)
    // A write that was under way may still fail; nobody needs to hear of that.
    output.off('error', handleEnd)
    output.on('error', () => undefined)
    input.pause()
  }
  void connection.ended.then(release, release)
  return connection
}
