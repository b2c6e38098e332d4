/** Which channels there are. The kind of a channel is known from here, never from its URI. Sheet §1. */
import type { TerminalSessionId } from '@agent-terminals/terminal'
import { canonicalUri, ROOT_URI, type RootAction, type RootState, reduceRoot } from '../protocol/index.js'
import type { ActionStream } from './action-stream.js'
import { Channel } from './channel.js'
import type { TerminalChannel } from './terminal-channel.js'

export type RootChannel = Channel<RootState, RootAction>

export class ChannelRegistry {
  readonly root: RootChannel
  private readonly terminals = new Map<string, TerminalChannel>()
  private readonly bySession = new Map<TerminalSessionId, TerminalChannel>()
  /** URIs of terminals that are being created. */
  private readonly reserved = new Set<string>()

  constructor(stream: ActionStream) {
    this.root = new Channel<RootState, RootAction>(ROOT_URI, { agents: [], terminals: [] }, reduceRoot, stream)
  }

  get(uri: string): RootChannel | TerminalChannel | undefined {
    return canonicalUri(uri) === ROOT_URI ? this.root : this.terminals.get(uri)
  }

  terminal(uri: string): TerminalChannel | undefined {
    return this.terminals.get(uri)
  }

  terminalOf(sessionId: TerminalSessionId): TerminalChannel | undefined {
    return this.bySession.get(sessionId)
  }

  list(): readonly TerminalChannel[] {
    return [...this.terminals.values()]
  }

  /** Terminals there are, those being created included. */
  get count(): number {
    return this.terminals.size + this.reserved.size
  }

  isTaken(uri: string): boolean {
    return this.terminals.has(uri) || this.reserved.has(uri)
  }

  /** Keep a URI for a terminal that is being created. @returns a release. */
  reserve(uri: string): () => void {
    this.reserved.add(uri)
    return () => this.reserved.delete(uri)
  }

  add(channel: TerminalChannel): void {
    this.reserved.delete(channel.uri)
    this.terminals.set(channel.uri, channel)
    this.bySession.set(channel.sessionId, channel)
    this.publishList()
  }

  /** Forget a terminal. Its subscribers hear nothing more of it. */
  remove(channel: TerminalChannel): void {
    if (this.terminals.get(channel.uri) !== channel) return
    this.terminals.delete(channel.uri)
    this.bySession.delete(channel.sessionId)
    channel.end()
    this.publishList()
  }

  /** Tell the subscribers of the root what there is: always the whole list, in order of creation. */
  publishList(): void {
    this.root.publish({ type: 'root/terminalsChanged', terminals: this.list().map(({ info }) => info) })
  }
}
