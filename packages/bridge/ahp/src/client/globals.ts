/** What the client takes from its surroundings: things Node and browsers both have. Everything can be passed in instead. */

/** The part of the WebSocket interface that is used. */
export interface WebSocketLike {
  readonly readyState: number
  readonly bufferedAmount: number
  send(data: string): void
  close(code?: number, reason?: string): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
}
export type WebSocketConstructor = new (url: string, protocols?: string | string[]) => WebSocketLike

interface Surroundings {
  setTimeout(run: () => void, delayMs: number): unknown
  clearTimeout(timer: unknown): void
  readonly performance: { now(): number }
  readonly crypto?: { getRandomValues(bytes: Uint8Array): Uint8Array }
  readonly WebSocket?: WebSocketConstructor
}

const surroundings = globalThis as unknown as Surroundings

export function findWebSocket(): WebSocketConstructor | undefined {
  return surroundings.WebSocket
}

/** Time and chance as the client needs them. */
export interface ClientClock {
  /** Milliseconds that only go forward. */
  now(): number
  /** @returns a release that prevents the call. */
  after(delayMs: number, run: () => void): () => void
  /** From 0 up to, not including, 1. */
  random(): number
}

export const systemClock: ClientClock = {
  now: () => surroundings.performance.now(),
  after(delayMs, run) {
    const timer = surroundings.setTimeout(run, delayMs)
    return () => surroundings.clearTimeout(timer)
  },
  random: () => Math.random(),
}

const ID_BYTES = 16

/** @returns a new id that nobody else has. */
export function mintId(): string {
  const bytes = new Uint8Array(ID_BYTES)
  // Pages without TLS have it as well; only very old surroundings do not.
  if (surroundings.crypto) surroundings.crypto.getRandomValues(bytes)
  else for (let index = 0; index < ID_BYTES; index++) bytes[index] = Math.floor(Math.random() * 256)
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
