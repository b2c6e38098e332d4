/** A local endpoint that speaks the OpenAI streaming protocol: it answers request N with the Nth recipe. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Recipe = (response: ServerResponse, body: unknown) => void

export interface ModelServer {
  readonly baseURL: string
  readonly requests: { readonly headers: IncomingMessage['headers']; readonly body: Record<string, unknown> }[]
  close(): Promise<void>
}

const head = { id: 'c1', object: 'chat.completion.chunk', created: 0, model: 'm' }

function write(response: ServerResponse, payload: unknown): void {
  response.write(`data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`)
}

function chunk(delta: unknown, finish: string | null = null): unknown {
  return { ...head, choices: [{ index: 0, delta, finish_reason: finish }] }
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

export const say =
  (...pieces: string[]): Recipe =>
  (response) => {
    begin(response)
    for (const content of pieces) write(response, chunk({ role: 'assistant', content }))
    write(response, chunk({}, 'stop'))
    write(response, { ...head, choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } })
    write(response, '[DONE]')
    response.end()
  }

export interface Call {
  readonly id: string
  readonly name: string
  readonly args: string
}

/** Tool calls whose arguments come in two pieces, as endpoints send them. */
export const callTools =
  (...calls: Call[]): Recipe =>
  (response) => {
    begin(response)
    calls.forEach(({ id, name, args }, index) => {
      const middle = Math.floor(args.length / 2)
      write(
        response,
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args.slice(0, middle) } }] }),
      )
      write(response, chunk({ tool_calls: [{ index, function: { arguments: args.slice(middle) } }] }))
    })
    write(response, chunk({}, 'tool_calls'))
    write(response, '[DONE]')
    response.end()
  }

export const answerStatus =
  (status: number, message: string): Recipe =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message, type: 'error' } }))
  }

export const sendMalformedChunk: Recipe = (response) => {
  begin(response)
  write(response, chunk({ role: 'assistant', content: 'half' }))
  write(response, '{"choices": [nonsense')
  response.end()
}

export const breakOff: Recipe = (response) => {
  begin(response)
  write(response, chunk({ role: 'assistant', content: 'half' }))
  setImmediate(() => response.destroy())
}

/** Start an answer and leave it open. */
export const stall =
  (onStarted: () => void): Recipe =>
  (response) => {
    begin(response)
    write(response, chunk({ role: 'assistant', content: 'thinking' }))
    onStarted()
  }

export async function startModelServer(...recipes: Recipe[]): Promise<ModelServer> {
  const requests: ModelServer['requests'] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>
      requests.push({ headers: request.headers, body })
      const recipe = recipes[requests.length - 1]
      if (recipe) recipe(response, body)
      else answerStatus(500, 'the test has no recipe for this request')(response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
