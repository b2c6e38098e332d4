/** JSON-RPC 2.0 over whole text messages: what a message is, told by its keys alone. Sheet §3. */
import { z } from 'zod'
import { AhpError } from './errors.js'

export type RequestId = number | string

export interface RequestFrame {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: unknown
}
export interface NotificationFrame {
  readonly kind: 'notification'
  readonly method: string
  readonly params: unknown
}
export interface ResultFrame {
  readonly kind: 'result'
  readonly id: RequestId
  readonly result: unknown
}
export interface ErrorFrame {
  readonly kind: 'error'
  readonly id: RequestId | null
  readonly error: AhpError
}
export type Frame = RequestFrame | NotificationFrame | ResultFrame | ErrorFrame

/** What could not be read, and what to answer. */
export interface BadFrame {
  readonly kind: 'bad'
  readonly reason: 'not-json' | 'not-jsonrpc' | 'too-deep'
  /** The id to answer to, when the message had one. */
  readonly id: RequestId | null
}

/** Deeper nesting than any message of the protocol has. */
export const MAX_JSON_DEPTH = 64

const errorSchema = z.looseObject({ code: z.int(), message: z.string(), data: z.unknown().optional() })

export function parseFrame(text: string): Frame | BadFrame {
  if (exceedsDepth(text, MAX_JSON_DEPTH)) return { kind: 'bad', reason: 'too-deep', id: null }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'bad', reason: 'not-json', id: null }
  }
  return isRecord(value) ? classify(value) : { kind: 'bad', reason: 'not-jsonrpc', id: null }
}

function classify(message: Readonly<Record<string, unknown>>): Frame | BadFrame {
  const id = isRequestId(message.id) ? message.id : null
  const bad: BadFrame = { kind: 'bad', reason: 'not-jsonrpc', id }
  if (message.jsonrpc !== '2.0') return bad
  if (typeof message.method === 'string') {
    if (!('id' in message)) return { kind: 'notification', method: message.method, params: message.params }
    return id === null ? bad : { kind: 'request', id, method: message.method, params: message.params }
  }
  if ('error' in message && message.error !== null) {
    const error = errorSchema.safeParse(message.error)
    if (!error.success) return bad
    return { kind: 'error', id, error: new AhpError(error.data.code, error.data.message, error.data.data) }
  }
  if ('result' in message && id !== null) return { kind: 'result', id, result: message.result }
  return bad
}

/** Nested arrays and objects outside strings, counted without parsing. */
function exceedsDepth(text: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (inString) {
      if (unit === 0x5c) at++
      else if (unit === 0x22) inString = false
    } else if (unit === 0x22) inString = true
    else if (unit === 0x7b || unit === 0x5b) {
      if (++depth > limit) return true
    } else if (unit === 0x7d || unit === 0x5d) depth--
  }
  return false
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What should be a list and comes from the wire: anything else counts as an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'number' || typeof value === 'string'
}

export function renderRequest(id: RequestId, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

export function renderNotification(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}

export function renderResult(id: RequestId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: result ?? null })
}

export function renderError(id: RequestId | null, { code, message, data }: AhpError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })
}

/**
 * `null` where a value may be absent is read as absent, because older peers write it so (sheet §3). Array elements keep their
 * places.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === null ? [] : [[key, withoutNulls(each)]])),
  )
}
