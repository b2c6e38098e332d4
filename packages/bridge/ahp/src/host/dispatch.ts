/** What becomes of a client's action: silence, refusal, or an effect and its echo. Sheet §8.2. */
import type { TerminalSessions } from '@agent-terminals/terminal'
import {
  type Action,
  CORRECTED_ACTIONS,
  chatlessClaimSchema,
  claimSchema,
  clientTerminalActionSchemas,
  configChangedSchema,
  dispatchActionSchema,
  isClientTerminalAction,
  isRecord,
  type Origin,
  type RawAction,
  REJECTIONS,
  type TerminalAction,
  type TerminalClaim,
  upClientClaim,
  type WireShape,
  withoutNulls,
} from '../protocol/index.js'
import type { Subscriber } from './channel.js'
import type { ChannelRegistry, RootChannel } from './channel-registry.js'
import { toServiceClaim } from './claims.js'
import type { ClientBook } from './client-book.js'
import type { Config } from './config.js'
import { type ClaimFacts, cleanTitle, completeChat, judgeAction, judgeClaim, type Verdict } from './core/index.js'
import { codeOf } from './error-code.js'
import { TerminalChannel } from './terminal-channel.js'

export interface DispatchOptions {
  readonly terminals: TerminalSessions
  readonly channels: ChannelRegistry
  readonly clients: ClientBook
  readonly config: Config
  readonly logError: (error: unknown) => void
}

/** The connection that dispatches. */
export interface Dispatcher extends Subscriber {
  readonly principal: string
  readonly shape: WireShape
}

type ClientAction = Extract<TerminalAction, { type: keyof typeof clientTerminalActionSchemas }>
type Outcome = { readonly kind: 'accepted'; readonly action: ClientAction } | Extract<Verdict, { kind: 'rejected' }>

const reject = (reason: string): Outcome => ({ kind: 'rejected', reason })

export class ActionDispatch {
  constructor(private readonly options: DispatchOptions) {}

  handle(params: unknown, from: Dispatcher): void {
    const parsed = dispatchActionSchema.safeParse(withoutNulls(params))
    if (!parsed.success) return
    const { channel: spelling, clientSeq, action } = parsed.data
    const channel = this.options.channels.get(spelling)
    if (!channel) return
    const origin = { clientId: from.clientId, clientSeq }
    const to = { subscriber: from, spelling }
    if (channel instanceof TerminalChannel) this.handleTerminal(channel, action, origin, from, to)
    else this.handleRoot(channel, action, origin, to)
  }

  private handleRoot(
    root: RootChannel,
    action: RawAction,
    origin: Origin,
    to: { readonly subscriber: Subscriber; readonly spelling: string },
  ): void {
    if (action.type !== 'root/configChanged') {
      root.reject(asAction(action), origin, REJECTIONS.notClientAction, to)
      return
    }
    const parsed = configChangedSchema.safeParse(action)
    if (parsed.success) root.publish(parsed.data, { origin })
    else root.reject(asAction(action), origin, REJECTIONS.invalidPayload, to)
  }

  private handleTerminal(
    channel: TerminalChannel,
    raw: RawAction,
    origin: Origin,
    from: Dispatcher,
    to: { readonly subscriber: Subscriber; readonly spelling: string },
  ): void {
    // While it is being disposed of it is as good as gone.
    if (channel.disposal) return
    const outcome = this.perform(channel, raw, from)
    if (outcome.kind === 'rejected') {
      channel.reject(asAction(raw), origin, outcome.reason, to)
      this.correct(channel, raw.type)
      return
    }
    const { action } = outcome
    const isPrivate = action.type === 'terminal/input' && this.options.config.inputEcho === 'originator'
    channel.publish(action, { origin, ...(isPrivate ? { onlyFor: from.clientId } : {}) })
    if (action.type === 'terminal/input') this.type(channel, from.clientId, action.data)
    if (action.type === 'terminal/claimed' || action.type === 'terminal/titleChanged') {
      this.options.channels.publishList()
    }
  }

  /** Judge, and carry out what can still be refused by the terminal itself. */
  private perform(channel: TerminalChannel, raw: RawAction, from: Dispatcher): Outcome {
    const action = this.parse(channel, raw, from)
    if (action.kind === 'rejected') return action
    const facts = this.factsFor(channel, from)
    const verdict =
      action.action.type === 'terminal/claimed'
        ? judgeClaim(action.action.claim, facts)
        : judgeAction(action.action.type, facts)
    if (verdict.kind === 'rejected') return verdict
    const refusal = this.carryOut(channel, action.action)
    return refusal === undefined ? action : reject(refusal)
  }

  private parse(channel: TerminalChannel, raw: RawAction, { shape }: Dispatcher): Outcome {
    if (!isClientTerminalAction(raw.type)) return reject(REJECTIONS.notClientAction)
    if (raw.type === 'terminal/claimed') return this.parseClaimed(channel, raw.claim, shape)
    const parsed = clientTerminalActionSchemas[raw.type].safeParse(raw)
    if (!parsed.success) return reject(REJECTIONS.invalidPayload)
    const action = parsed.data
    if (action.type === 'terminal/input' && action.data.length > this.options.config.maxInputUnits) {
      return reject(REJECTIONS.tooLong)
    }
    if (action.type === 'terminal/titleChanged') {
      const title = cleanTitle(action.title, action.title.length) ?? channel.options.defaultTitle
      return { kind: 'accepted', action: { ...action, title } }
    }
    return { kind: 'accepted', action }
  }

  private parseClaimed(channel: TerminalChannel, wire: unknown, shape: WireShape): Outcome {
    const claim = readClaim(wire, channel.state.claim, shape)
    if (!claim || !this.knowsSession(channel, claim)) return reject(REJECTIONS.invalidPayload)
    return { kind: 'accepted', action: { type: 'terminal/claimed', claim } }
  }

  /** An agent's terminal can be held by that agent's session or by clients; a client's own by any session it names. */
  private knowsSession(channel: TerminalChannel, claim: TerminalClaim): boolean {
    if (claim.kind !== 'session') return true
    if (channel.options.isClientMade) return this.options.config.foreignSessions === 'opaque'
    return claim.session === channel.options.sessionClaim.session
  }

  private factsFor({ state, claimedAt, hasExited }: TerminalChannel, from: Dispatcher): ClaimFacts {
    const { clients, config } = this.options
    const { claim } = state
    const holder = claim.kind === 'client' ? claim.clientId : undefined
    return {
      claim,
      hasExited,
      clientId: from.clientId,
      isSamePrincipal: holder !== undefined && clients.principalOf(holder) === from.principal,
      isAbandoned: holder !== undefined && clients.goneMs(holder, claimedAt) >= config.abandonedAfterMs,
      gate: config.gate,
      sharedInput: config.sharedInput,
    }
  }

  /** @returns why the terminal refuses, or nothing when it is done. */
  private carryOut({ sessionId }: TerminalChannel, action: ClientAction): string | undefined {
    const { observers } = this.options.terminals
    try {
      if (action.type === 'terminal/claimed') observers.claim(sessionId, toServiceClaim(action.claim))
      if (action.type === 'terminal/resized') observers.resize(sessionId, { columns: action.cols, rows: action.rows })
      return undefined
    } catch (error) {
      return toReason(error)
    }
  }

  private type({ sessionId }: TerminalChannel, clientId: string, data: string): void {
    const writing = this.options.terminals.observers.input(sessionId, clientId, data, { holder: 'any' })
    // The terminal may end under the typist: its exit tells that. Neither the text nor a message that might hold it is logged.
    writing.catch((error: unknown) => this.options.logError(`input was not delivered: ${String(codeOf(error))}`))
  }

  /** Peers that ignore refusals have already changed their copy: put it right. */
  private correct(channel: TerminalChannel, type: string): void {
    const { claim, title, cols, rows } = channel.state
    if (!CORRECTED_ACTIONS.includes(type)) return
    if (type === 'terminal/claimed') channel.publish({ type, claim })
    else if (type === 'terminal/titleChanged') channel.publish({ type, title })
    else if (type === 'terminal/resized' && cols !== undefined && rows !== undefined)
      channel.publish({ type, cols, rows })
  }
}

/** A session claim without chat takes that of the same session's present claim. */
function readClaim(wire: unknown, present: TerminalClaim, shape: WireShape): TerminalClaim | undefined {
  const chatless = isRecord(wire) && wire.chat === undefined ? chatlessClaimSchema.safeParse(wire).data : undefined
  return (chatless && completeChat(chatless, present)) ?? claimSchema.safeParse(upClientClaim(wire, shape)).data
}

/** A refused action is echoed as it came, so its payload may be anything. */
function asAction(raw: RawAction): Action {
  return raw as unknown as Action
}

function toReason(error: unknown): string {
  const code = codeOf(error)
  if (code === 'SIZE_INVALID') return REJECTIONS.invalidPayload
  if (code === 'OWNER_GONE') return REJECTIONS.ownerGone
  return code === 'SESSION_ENDED' ? REJECTIONS.exited : REJECTIONS.failed
}
