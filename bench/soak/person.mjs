/** A person at a client of the AHP host, over a real WebSocket. */
import { AhpClient, openWebSocket, RemoteTerminal } from '@agent-terminals/ahp/client'
import { WebSocket } from 'ws'
import { BrokenPromise, expectEqual } from './checks.mjs'

export async function createPerson(ctx) {
  const address = `${ctx.ahp.url}?tkn=${ctx.ahp.token}`
  const client = new AhpClient({ open: () => openWebSocket(address, { WebSocket }) })
  await client.waitForReady()
  return {
    watch: async (sessionId) => {
      const view = await client.subscribeTerminal(`ahp-terminal:/${encodeURIComponent(sessionId)}`)
      return new WatchedTerminal(client, view)
    },
    close: () => client.close(),
  }
}

class WatchedTerminal {
  #client
  #remote
  #seen = ''
  #release
  #waiting = () => {}
  #ownClaim

  constructor(client, view) {
    this.#client = client
    this.#remote = new RemoteTerminal(client, view)
    this.#ownClaim = view.state.claim
    this.#release = view.onEvent((event) => {
      if (event.type !== 'action' || event.envelope.action.type !== 'terminal/data') return
      this.#seen += event.envelope.action.data
      this.#waiting()
    })
  }

  async #accepted(what, outcome) {
    const { kind, reason } = await outcome
    if (kind !== 'accepted') throw new BrokenPromise(`${what} was ${kind}: ${reason}`)
  }

  take() {
    return this.#accepted('taking the keyboard', this.#remote.takeOver())
  }

  async giveBack() {
    await this.#accepted('giving the keyboard back', this.#remote.handOver(this.#ownClaim))
    expectEqual('whose the keyboard is then', this.#remote.claim.kind, 'session')
  }

  type(data) {
    return this.#accepted('typing', this.#remote.input(data))
  }

  resize(columns, rows) {
    return this.#accepted('resizing', this.#remote.resize(columns, rows))
  }

  /** @returns whether there was a tool call to detach from. */
  async detach() {
    const { kind, reason } = await this.#remote.detach()
    // The call can end just before.
    if (kind !== 'accepted' && kind !== 'withheld' && kind !== 'rejected') {
      throw new BrokenPromise(`detaching was ${kind}: ${reason}`)
    }
    return kind === 'accepted'
  }

  /** Output since the person began to watch holds the text. */
  waitForText(text) {
    return new Promise((resolve) => {
      this.#waiting = () => {
        if (this.#seen.includes(text)) resolve()
      }
      this.#waiting()
    })
  }

  async leave() {
    this.#release()
    this.#client.unsubscribe(this.#remote.view)
  }
}
