/** One terminal in the words of a user interface. */
import {
  isInToolCall,
  REJECTIONS,
  type SessionClaim,
  type TerminalClaim,
  type TerminalState,
} from '../protocol/index.js'
import type { ChannelView } from './channel-view.js'
import type { AhpClient } from './client.js'
import type { DispatchOutcome } from './pending.js'

export class RemoteTerminal {
  constructor(
    private readonly client: AhpClient,
    readonly view: ChannelView<TerminalState>,
  ) {}

  /** The confirmed claim. A claim that has been asked for gives no rights before the host confirms it. */
  get claim(): TerminalClaim | undefined {
    return this.view.state?.claim
  }

  get isHeld(): boolean {
    const { claim } = this
    return claim?.kind === 'client' && claim.clientId === this.client.clientId
  }

  /**
   * Type, exactly as given. Nothing is shown until the terminal answers, and nothing is ever typed twice.
   * @param options.force - send it although another client holds the terminal: the host may allow that.
   */
  input(data: string, options: { readonly force?: boolean } = {}): Promise<DispatchOutcome> {
    const { claim } = this
    if (claim?.kind === 'client' && !this.isHeld && options.force !== true) {
      return Promise.resolve({ kind: 'withheld', reason: REJECTIONS.claimedByOther })
    }
    return this.client.dispatch(this.view.uri, { type: 'terminal/input', data })
  }

  resize(cols: number, rows: number): Promise<DispatchOutcome> {
    return this.client.dispatch(this.view.uri, { type: 'terminal/resized', cols, rows })
  }

  rename(title: string): Promise<DispatchOutcome> {
    return this.client.dispatch(this.view.uri, { type: 'terminal/titleChanged', title })
  }

  clear(): Promise<DispatchOutcome> {
    return this.client.dispatch(this.view.uri, { type: 'terminal/cleared' })
  }

  /** Take the keyboard. */
  takeOver(): Promise<DispatchOutcome> {
    return this.claimFor({ kind: 'client', clientId: this.client.clientId })
  }

  /** Give the keyboard to somebody else. */
  handOver(claim: TerminalClaim): Promise<DispatchOutcome> {
    return this.claimFor(claim)
  }

  /** Let a running tool call go on in the background: the terminal stays its session's. `withheld` when no tool call uses it. */
  detach(): Promise<DispatchOutcome> {
    const { claim } = this
    if (claim?.kind !== 'session' || !isInToolCall(claim)) {
      return Promise.resolve({ kind: 'withheld', reason: 'no tool call uses the terminal' })
    }
    const { kind, session, chat } = claim
    return this.claimFor({ kind, session, chat } satisfies SessionClaim)
  }

  private claimFor(claim: TerminalClaim): Promise<DispatchOutcome> {
    return this.client.dispatch(this.view.uri, { type: 'terminal/claimed', claim })
  }
}
