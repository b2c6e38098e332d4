/** `initialize` and `reconnect` from the client's side, and what their results mean. Sheet §5.1 and §5.7. */
import {
  type ActionEnvelope,
  AhpError,
  asList,
  type Implementation,
  isNotFound,
  isRecord,
  ROOT_URI,
  type Snapshot,
  shapeOf,
  upEnvelope,
  upSnapshot,
  type WireShape,
} from '../protocol/index.js'
import type { Peer } from './peer.js'

export interface Greeting {
  readonly peer: Peer
  readonly clientId: string
  readonly clientInfo: Implementation | undefined
  readonly protocolVersions: readonly string[]
  /** Channels to be followed from the start. */
  readonly subscriptions: readonly string[]
}

/** What a handshake gave. Channels that are in none of the lists are as they were. */
export interface Greeted {
  /** `replay`: what was known stays and goes on. `anew`: what is known comes from `snapshots` alone. */
  readonly kind: 'replay' | 'anew'
  readonly version: string
  readonly shape: WireShape
  readonly serverSeq: number
  readonly snapshots: readonly Snapshot[]
  readonly actions: readonly ActionEnvelope[]
  /** Asked for and not there any more. */
  readonly missing: readonly string[]
}

/** The host answered in a way that cannot be worked with; trying again would not help. */
export class HandshakeError extends Error {
  override readonly name = 'HandshakeError'
}

export async function initialize(greeting: Greeting): Promise<Greeted> {
  const { peer, clientId, clientInfo, protocolVersions, subscriptions } = greeting
  const result = await peer.request('initialize', {
    channel: ROOT_URI,
    protocolVersions,
    clientId,
    ...(clientInfo ? { clientInfo } : {}),
    initialSubscriptions: subscriptions,
  })
  const version = isRecord(result) ? result.protocolVersion : undefined
  if (!isRecord(result) || typeof version !== 'string' || !protocolVersions.includes(version)) {
    throw new HandshakeError(`The host chose a version that was not offered: ${String(version).slice(0, 32)}.`)
  }
  const shape = shapeOf(version)
  const snapshots = readSnapshots(result.snapshots, shape)
  return {
    kind: 'anew',
    version,
    shape,
    serverSeq: Number.isInteger(result.serverSeq) ? Number(result.serverSeq) : 0,
    snapshots,
    actions: [],
    missing: without(subscriptions, snapshots),
  }
}

/** @param version - agreed on before. A host that has forgotten the client is greeted anew. */
export async function resume(greeting: Greeting, version: string, lastSeenServerSeq: number): Promise<Greeted> {
  const { peer, clientId, subscriptions } = greeting
  let result: unknown
  try {
    result = await peer.request('reconnect', { channel: ROOT_URI, clientId, lastSeenServerSeq, subscriptions })
  } catch (error) {
    if (isNotFound(error)) return initialize(greeting)
    throw error
  }
  const shape = shapeOf(version)
  if (isRecord(result) && result.type === 'replay') {
    const actions = asList(result.actions).flatMap((each) => upEnvelope(each, shape) ?? [])
    const missing = readUris(result.missing)
    return { kind: 'replay', version, shape, serverSeq: lastSeenServerSeq, snapshots: [], actions, missing }
  }
  if (!isRecord(result) || result.type !== 'snapshot') throw new HandshakeError('The host answered reconnect oddly.')
  const snapshots = readSnapshots(result.snapshots, shape)
  const missing = without(subscriptions, snapshots)
  return { kind: 'anew', version, shape, serverSeq: 0, snapshots, actions: [], missing }
}

/** Whether another try could have another outcome. */
export function isFinal(error: unknown): boolean {
  if (error instanceof HandshakeError) return true
  return error instanceof AhpError && [-32005, -32009, -32602].includes(error.code)
}

function readUris(value: unknown): readonly string[] {
  return asList(value).filter((each) => typeof each === 'string')
}

function readSnapshots(value: unknown, shape: WireShape): readonly Snapshot[] {
  return asList(value).flatMap((each) => upSnapshot(each, shape) ?? [])
}

function without(uris: readonly string[], snapshots: readonly Snapshot[]): readonly string[] {
  const found = new Set(snapshots.map(({ resource }) => resource))
  return uris.filter((uri) => !found.has(uri))
}
