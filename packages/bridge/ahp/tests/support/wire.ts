/** A peer at the level of messages: sends what it is told and keeps what it gets. It knows no rules of the protocol. */
import {
  type ActionEnvelope,
  type AhpError,
  createMemoryPair,
  parseFrame,
  type Transport,
} from '../../src/protocol/index.js'

export interface WireMessage {
  readonly jsonrpc: string
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Let everything that is already decided happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export const ROOT = 'ahp-root://'

export class Wire {
  readonly texts: string[] = []
  readonly messages: WireMessage[] = []
  isClosed = false
  private nextId = 1
  private nextClientSeq = 1
  private readonly waiters = new Set<() => void>()

  constructor(readonly transport: Transport) {
    transport.listen({
      onMessage: (text) => {
        this.texts.push(text)
        this.messages.push(JSON.parse(text) as WireMessage)
        this.wake()
      },
      onClose: () => {
        this.isClosed = true
        this.wake()
      },
    })
  }

  raw(text: string): void {
    this.transport.send(text)
  }

  /** @throws AhpError as it came. */
  async request(method: string, params: unknown = { channel: ROOT }): Promise<unknown> {
    const id = this.nextId++
    this.raw(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    await this.waitFor(() => this.isClosed || this.answerTo(id) !== undefined)
    const text = this.texts.find((each) => isAnswerTo(each, id))
    const frame = text === undefined ? undefined : parseFrame(text)
    if (frame?.kind === 'error') throw frame.error
    if (frame?.kind === 'result') return frame.result
    throw new Error(`no answer to ${method}`)
  }

  notify(method: string, params: unknown): void {
    this.raw(JSON.stringify({ jsonrpc: '2.0', method, params }))
  }

  /** @returns its clientSeq. */
  dispatch(channel: string, action: unknown, clientSeq = this.nextClientSeq++): number {
    this.notify('dispatchAction', { channel, clientSeq, action })
    return clientSeq
  }

  /** Dispatch and let everything follow. @returns the envelopes that came. */
  async act(channel: string, action: unknown): Promise<ActionEnvelope[]> {
    const from = this.messages.length
    this.dispatch(channel, action)
    await settle()
    return this.envelopes(undefined, from)
  }

  /** Envelopes that arrived, of one channel or of all. */
  envelopes(channel?: string, from = 0): ActionEnvelope[] {
    return this.messages.slice(from).flatMap(({ method, params }) => {
      const envelope = method === 'action' ? (params as unknown as ActionEnvelope) : undefined
      return envelope && (channel === undefined || envelope.channel === channel) ? [envelope] : []
    })
  }

  /** What a channel printed, as it arrived. */
  output(channel: string): string {
    return this.envelopes(channel)
      .map(({ action }) => (action.type === 'terminal/data' ? action.data : ''))
      .join('')
  }

  answerTo(id: number | string | null): WireMessage | undefined {
    return this.messages.find((message) => message.method === undefined && message.id === id)
  }

  waitFor(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isTrue()) return
        this.waiters.delete(look)
        resolve()
      }
      this.waiters.add(look)
      look()
    })
  }

  close(): void {
    this.transport.close()
  }

  private wake(): void {
    for (const waiter of [...this.waiters]) waiter()
  }
}

function isAnswerTo(text: string, id: number): boolean {
  const message = JSON.parse(text) as WireMessage
  return message.method === undefined && message.id === id
}

/** @returns the code with which a request is refused. */
export async function codeOf(request: Promise<unknown>): Promise<number> {
  try {
    await request
  } catch (error) {
    return (error as AhpError).code
  }
  throw new Error('the request was not refused')
}

export { createMemoryPair }
