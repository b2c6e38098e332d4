/** Turns what happens to terminals into channels and actions. */
import type {
  SessionSummary,
  TerminalEvent,
  TerminalOwner,
  TerminalSessionId,
  TerminalSessions,
} from '@agent-terminals/terminal'
import {
  MAX_TITLE_LENGTH,
  type SessionClaim,
  TERMINAL_PREFIX,
  type TerminalClaim,
  type TerminalState,
  withoutCall,
} from '../protocol/index.js'
import type { ActionStream } from './action-stream.js'
import type { ChannelRegistry } from './channel-registry.js'
import { fromServiceClaim, matchesServiceClaim, sessionClaimFor, sessionClaimOf, toServiceClaim } from './claims.js'
import type { Clock } from './clock.js'
import type { Config } from './config.js'
import { cleanTitle } from './core/index.js'
import { TerminalChannel } from './terminal-channel.js'
import { toFileUri } from './working-directory.js'

/** What a client asked for when it created a terminal. Found again by the owner that was made for it. */
export interface Creation {
  readonly uri: string
  readonly claim: TerminalClaim
  readonly title: string | undefined
  readonly cwd: string
}

export interface FeedOptions {
  readonly terminals: TerminalSessions
  readonly channels: ChannelRegistry
  readonly stream: ActionStream
  readonly clock: Clock
  readonly config: Config
  readonly logError: (error: unknown) => void
}

/** Longest title that a program may set, in code points. */
const MAX_PROGRAM_TITLE = 256
/** Lines of an earlier terminal's scrollback shown to those who come late. */
const ADOPTED_LINES = 1_000

export class TerminalFeed {
  private readonly creations = new Map<TerminalOwner, Creation>()

  constructor(private readonly options: FeedOptions) {}

  /** Show the terminals that exist, then follow all of them. @returns a release. */
  start(): () => void {
    const { terminals } = this.options
    // Both in one turn: nothing can happen between the list and the first event.
    const release = terminals.observers.on('*', (id, event) => this.handle(id, event))
    const owners = new Map(
      terminals.activeOwners().flatMap((owner) => terminals.list(owner).map(({ sessionId }) => [sessionId, owner])),
    )
    for (const summary of terminals.observers.list()) this.adopt(summary, owners.get(summary.sessionId))
    return release
  }

  /** @returns a release, for a creation that has come to its end in whichever way. */
  expect(owner: TerminalOwner, creation: Creation): () => void {
    this.creations.set(owner, creation)
    return () => this.creations.delete(owner)
  }

  private handle(id: TerminalSessionId, event: TerminalEvent): void {
    if (event.type === 'opened') {
      this.open(event.summary, event.owner)
      return
    }
    const channel = this.options.channels.terminalOf(id)
    if (!channel) return
    if (event.type === 'closed') this.close(channel)
    else if (!channel.disposal) this.apply(channel, event)
  }

  private apply(channel: TerminalChannel, event: Exclude<TerminalEvent, { type: 'opened' | 'closed' }>): void {
    switch (event.type) {
      case 'data':
        channel.handleOutput(event.bytes)
        return
      case 'command-executed': {
        if (channel.state.supportsCommandDetection !== true) {
          channel.publish({ type: 'terminal/commandDetectionAvailable' })
        }
        const { commandId, commandLine } = event
        const timestamp = Math.floor(this.options.clock.now())
        channel.publish({ type: 'terminal/commandExecuted', commandId, commandLine, timestamp })
        return
      }
      case 'command-finished': {
        const { commandId, exitCode, durationMs } = event
        channel.publish({
          type: 'terminal/commandFinished',
          commandId,
          ...(exitCode === undefined ? {} : { exitCode }),
          durationMs: Math.max(0, Math.round(durationMs)),
        })
        return
      }
      case 'cwd-changed':
        channel.publish({ type: 'terminal/cwdChanged', cwd: toFileUri(event.cwd) })
        return
      case 'title-changed':
        this.retitle(channel, cleanTitle(event.title, MAX_PROGRAM_TITLE) ?? channel.options.defaultTitle)
        return
      case 'resized':
        this.resize(channel)
        return
      case 'claimed':
        this.reclaim(channel)
        return
      case 'exited':
        channel.endOutput()
        channel.publish({
          type: 'terminal/exited',
          ...(event.status.kind === 'exited' ? { exitCode: event.status.exitCode } : {}),
        })
        this.options.channels.publishList()
    }
  }

  private open(summary: SessionSummary, owner: TerminalOwner): void {
    const creation = this.creations.get(owner)
    const sessionClaim = creation?.claim.kind === 'session' ? withoutCall(creation.claim) : sessionClaimOf(owner)
    const channel = this.addChannel(summary, sessionClaim, creation, [])
    if (creation) this.claimFor(channel)
  }

  /** The terminal was there before the host: what it printed so far is known as lines only. */
  private adopt(summary: SessionSummary, owner: TerminalOwner | undefined): void {
    const { text } = this.options.terminals.observers.read(summary.sessionId, { lines: ADOPTED_LINES })
    const value = text.replaceAll('\n', '\r\n')
    const sessionClaim = owner ? sessionClaimOf(owner) : sessionClaimFor(summary.sessionId)
    this.addChannel(summary, sessionClaim, undefined, value === '' ? [] : [{ type: 'unclassified', value }])
  }

  private addChannel(
    summary: SessionSummary,
    sessionClaim: SessionClaim,
    creation: Creation | undefined,
    content: TerminalState['content'],
  ): TerminalChannel {
    const { channels, stream, clock, config } = this.options
    const { batchMs, batchUnits, scrollbackUnits } = config
    const defaultTitle = summary.type
    const programTitle = summary.title === undefined ? undefined : cleanTitle(summary.title, MAX_PROGRAM_TITLE)
    const cwd = summary.cwd ?? creation?.cwd
    const { status } = summary
    const channel = new TerminalChannel({
      uri: creation?.uri ?? this.mintUri(summary.sessionId),
      sessionId: summary.sessionId,
      sessionClaim,
      isClientMade: creation !== undefined,
      defaultTitle,
      stream,
      clock,
      batchMs,
      batchUnits,
      scrollbackUnits,
      initial: {
        title: creation?.title ?? summary.name ?? programTitle ?? defaultTitle,
        ...(cwd === undefined ? {} : { cwd: toFileUri(cwd) }),
        cols: summary.size.columns,
        rows: summary.size.rows,
        content,
        lifecycle:
          status.kind === 'running'
            ? { status: 'running' }
            : { status: 'exited', ...(status.kind === 'exited' ? { exitCode: status.exitCode } : {}) },
        claim: creation?.claim ?? fromServiceClaim(summary.claim, sessionClaim),
        ...(summary.promptDetection === 'active' ? { supportsCommandDetection: true } : {}),
        isPty: true,
      },
    })
    channels.add(channel)
    return channel
  }

  private mintUri(sessionId: TerminalSessionId): string {
    const uri = `${TERMINAL_PREFIX}${encodeURIComponent(sessionId)}`
    let candidate = uri
    for (let number = 2; this.options.channels.isTaken(candidate); number++) candidate = `${uri}-${number}`
    return candidate
  }

  private claimFor({ sessionId, state }: TerminalChannel): void {
    try {
      this.options.terminals.observers.claim(sessionId, toServiceClaim(state.claim))
    } catch (error) {
      // It is already being closed: its end is the next event.
      this.options.logError(error)
    }
  }

  private retitle(channel: TerminalChannel, title: string): void {
    if (channel.state.title === title) return
    channel.publish({ type: 'terminal/titleChanged', title: title.slice(0, MAX_TITLE_LENGTH) })
    this.options.channels.publishList()
  }

  /** The event may be older than the state: what counts is how the terminal is now. */
  private resize(channel: TerminalChannel): void {
    const size = this.options.terminals.observers.get(channel.sessionId)?.size
    if (!size || (size.columns === channel.state.cols && size.rows === channel.state.rows)) return
    channel.publish({ type: 'terminal/resized', cols: size.columns, rows: size.rows })
  }

  private reclaim(channel: TerminalChannel): void {
    const service = this.options.terminals.observers.get(channel.sessionId)?.claim
    if (!service || matchesServiceClaim(channel.state.claim, service)) return
    const present = channel.state.claim.kind === 'session' ? channel.state.claim : channel.options.sessionClaim
    channel.publish({ type: 'terminal/claimed', claim: fromServiceClaim(service, present) })
    this.options.channels.publishList()
  }

  private close(channel: TerminalChannel): void {
    endChannel(channel)
    this.options.channels.remove(channel)
  }
}

/** Let subscribers see an end: whatever was printed, then the exit, once. */
export function endChannel(channel: TerminalChannel): void {
  channel.endOutput()
  if (!channel.hasExited) channel.publish({ type: 'terminal/exited' })
}
