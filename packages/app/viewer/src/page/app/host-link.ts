/** One signed-in connection: follows the list and every terminal in it, and tells the store. */
import {
  AhpClient,
  type ChannelEvent,
  type ChannelView,
  type ClientStatus,
  HandshakeError,
  openWebSocket,
  RemoteTerminal,
} from '@agent-terminals/ahp/client'
import type { RootState, TerminalInfo, TerminalState } from '@agent-terminals/ahp/protocol'
import type { Connection } from '../core/connection.js'
import { factsOf } from '../core/facts.js'
import { isTokenRefused } from './session.js'
import type { Store } from './store.js'

/** As many as a host serves by default on one connection, less the list and some room. */
const MAX_FOLLOWED = 240
/** As much as the host keeps. */
const MAX_CONTENT_UNITS = 1 << 20
/** A person waits in front of it. */
const RECONNECT = { firstMs: 250, longestMs: 10_000, jitter: 0.25 }

type Following =
  | { readonly kind: 'asking' }
  | { readonly kind: 'live'; readonly terminal: RemoteTerminal; readonly release: () => void }

export class HostLink {
  readonly client: AhpClient
  private readonly followed = new Map<string, Following>()

  constructor(
    private readonly store: Store,
    private readonly token: string,
    clientId: string,
  ) {
    this.client = new AhpClient({
      open: () => this.open(),
      clientId,
      clientInfo: { name: 'agent-terminals viewer' },
      reconnect: RECONNECT,
      maxContentUnits: MAX_CONTENT_UNITS,
      onListenerError: (error) => console.error(error),
    })
    this.client.onStatus((status) => this.handleStatus(status))
    void this.followList()
  }

  /** A followed terminal; `undefined` before its state has come. */
  terminal(uri: string): RemoteTerminal | undefined {
    const following = this.followed.get(uri)
    return following?.kind === 'live' ? following.terminal : undefined
  }

  close(): void {
    this.client.close()
  }

  private async open() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    try {
      return await openWebSocket(`${scheme}://${location.host}/`, { protocols: `ahp-token.${this.token}` })
    } catch (error) {
      if (!(await isTokenRefused(this.token))) throw error
      const message = 'The host has been started anew and does not know this page any more. Sign in with a new link.'
      this.store.dispatch({ type: 'access', event: { type: 'token-refused', token: this.token, message } })
      throw new HandshakeError(message)
    }
  }

  private handleStatus(status: ClientStatus): void {
    const connection = connectionOf(status)
    if (connection) this.store.dispatch({ type: 'connection-changed', connection })
    if (status.kind === 'ready') this.followListed()
  }

  private async followList(): Promise<void> {
    try {
      await this.client.waitForReady()
      const view = await this.client.subscribeRoot()
      view.onEvent((event) => {
        if (event.type !== 'gone') this.handleList(event.state)
      })
      if (view.state) this.handleList(view.state)
    } catch (error) {
      // A client that has ended says so by its status.
      if (this.client.status.kind !== 'closed')
        this.store.dispatch({
          type: 'noticed',
          tone: 'problem',
          text: `The list of terminals did not come: ${String(error)}`,
        })
    }
  }

  private handleList({ terminals = [] }: RootState): void {
    this.store.dispatch({ type: 'list-changed', terminals })
    this.leaveMissing(terminals)
    this.followListed()
  }

  private followListed(): void {
    // The list of a host that has come back is there before anything can be asked of it.
    if (this.client.status.kind !== 'ready') return
    for (const { resource } of this.store.state.terminals?.slice(0, MAX_FOLLOWED) ?? []) {
      if (!this.followed.has(resource)) void this.follow(resource)
    }
  }

  private leaveMissing(terminals: readonly TerminalInfo[]): void {
    const listed = new Set(terminals.map(({ resource }) => resource))
    for (const uri of this.followed.keys()) if (!listed.has(uri)) this.leave(uri)
  }

  private async follow(uri: string): Promise<void> {
    const asking: Following = { kind: 'asking' }
    this.followed.set(uri, asking)
    try {
      const view = await this.client.subscribeTerminal(uri)
      if (this.followed.get(uri) !== asking) {
        this.client.unsubscribe(view)
        return
      }
      const release = view.onEvent((event) => this.handleTerminal(uri, event))
      this.followed.set(uri, { kind: 'live', terminal: new RemoteTerminal(this.client, view), release })
      this.publishFacts(uri, view)
    } catch {
      // It ended meanwhile, or the connection did: the next list says what there is.
      if (this.followed.get(uri) === asking) this.followed.delete(uri)
    }
  }

  private leave(uri: string): void {
    const following = this.followed.get(uri)
    this.followed.delete(uri)
    if (following?.kind !== 'live') return
    following.release()
    this.client.unsubscribe(following.terminal.view)
  }

  private handleTerminal(uri: string, event: ChannelEvent<TerminalState>): void {
    if (event.type === 'gone') {
      this.followed.delete(uri)
      return
    }
    const action = event.type === 'action' ? event.envelope.action.type : undefined
    if (action === 'terminal/data') this.store.dispatch({ type: 'printed', uri })
    // Neither output nor input changes what is known beside the output.
    if (action === 'terminal/data' || action === 'terminal/input') return
    this.store.dispatch({ type: 'facts-changed', uri, facts: factsOf(event.state) })
  }

  private publishFacts(uri: string, view: ChannelView<TerminalState>): void {
    if (view.state) this.store.dispatch({ type: 'facts-changed', uri, facts: factsOf(view.state) })
  }
}

function connectionOf(status: ClientStatus): Connection | undefined {
  switch (status.kind) {
    case 'ready':
      return { kind: 'ready' }
    case 'waiting':
      return { kind: 'waiting', retryAt: performance.now() + status.delayMs }
    case 'connecting':
      // Between two tries the countdown stays at zero.
      return status.attempt === 0 ? { kind: 'connecting' } : undefined
    case 'closed':
      return status.error && { kind: 'failed', message: `${status.error.message} Reload the page to try again.` }
  }
}
