/** One ACP session: one agent, one queue, at most one turn. */
import type { AgentLoopService, TurnOutcome } from '@agent-terminals/agent-loop/contract'
import type { Agent, SessionEvent } from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/jobs/contract'
import type { TerminalSessions } from '@agent-terminals/terminal'
import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk'
import { type BackgroundFollower, followBackgroundSend } from './background-follower.js'
import { CallDisplay } from './call-display.js'
import type { Clock } from './clock.js'
import type { Config } from './config.js'
import { type Exit, type Gate, parseSend, renderPrompt, type StopReason, stopReasonOf } from './core/index.js'
import { contentUnsupported, promptEmpty, turnActive, turnFailed } from './errors.js'
import { UpdateQueue } from './update-queue.js'

export interface SessionOptions {
  readonly agent: Agent
  readonly gate: Gate
  readonly config: Config
  readonly clock: Clock
  readonly agentLoop: AgentLoopService
  /** The terminal service, when one is mounted at this moment. */
  readonly findTerminals: () => TerminalSessions | undefined
  /** What the person is told at the beginning of the first turn. It is no part of the conversation. */
  readonly notice: string | undefined
  readonly send: (update: SessionUpdate) => Promise<void>
  readonly onError: (error: unknown) => void
}

const UNKNOWN_EXIT: Exit = { exitCode: null, signal: null }

const textChunk = (sessionUpdate: 'agent_message_chunk' | 'user_message_chunk', text: string): SessionUpdate => ({
  sessionUpdate,
  content: { type: 'text', text },
})

export class AcpSession {
  readonly queue: UpdateQueue
  readonly agent: Agent
  private readonly display: CallDisplay
  private readonly followers = new Map<string, BackgroundFollower>()
  private readonly stopListening: () => void
  private turn: AbortController | undefined
  private end: Promise<void> | undefined
  private notice: string | undefined

  constructor(private readonly options: SessionOptions) {
    this.agent = options.agent
    this.notice = options.notice
    this.queue = new UpdateQueue(options.send)
    this.display = this.createDisplay(options.clock)
    this.stopListening = options.agent.session.onEvent((event) => this.handleEvent(event))
  }

  get id(): string {
    return this.agent.id
  }

  /**
   * Run one prompt. Resolves after everything it had to show is on its way.
   * @throws RequestError
   */
  async prompt(blocks: readonly ContentBlock[], requestSignal: AbortSignal): Promise<StopReason> {
    if (this.turn) throw turnActive(this.id)
    const prompt = renderPrompt(blocks)
    if (!prompt.ok) throw contentUnsupported(prompt.type)
    if (prompt.text.trim() === '') throw promptEmpty()
    const turn = new AbortController()
    this.turn = turn
    this.giveNotice()
    try {
      const outcome = await this.options.agentLoop.run(this.agent, prompt.text, {
        signal: AbortSignal.any([turn.signal, requestSignal]),
        onText: (delta) => this.queue.add(() => [textChunk('agent_message_chunk', delta)]),
        onProgress: (callId, progress) => this.display.handleOutput(callId, progress.text),
      })
      this.display.closeOpenCalls('[interrupted]')
      await this.queue.idle()
      return nameOutcome(outcome)
    } finally {
      this.turn = undefined
    }
  }

  /** Once, and within a turn: outside of one a client need not look. */
  private giveNotice(): void {
    const { notice } = this
    this.notice = undefined
    if (notice !== undefined) this.queue.add(() => [textChunk('agent_message_chunk', notice)])
  }

  cancel(): void {
    this.turn?.abort(new Error('the client has cancelled the turn'))
  }

  /** The client has allowed a call. */
  permit(callId: string): void {
    this.display.handlePermission(callId)
  }

  /** Show a session from its log, as it was shown when it happened. Sheet §6.7. */
  async replay(events: readonly SessionEvent[]): Promise<void> {
    const display = this.createDisplay(undefined)
    for (const event of events) this.replayEvent(display, event)
    display.closeAll('[interrupted]')
    await this.queue.idle()
  }

  /** End the agent with everything it owns, then close what is still shown as running. Repeated calls join. */
  close(): Promise<void> {
    this.end ??= this.finish()
    return this.end
  }

  private async finish(): Promise<void> {
    this.cancel()
    try {
      await this.agent.dispose()
    } catch (error) {
      this.options.onError(error)
    }
    this.display.closeAll('[stopped: the session has ended]')
    for (const follower of this.followers.values()) follower.stop()
    this.followers.clear()
    this.stopListening()
    await this.queue.idle()
  }

  private createDisplay(clock: Clock | undefined): CallDisplay {
    const { gate, config } = this.options
    const asked = new Set(config.askPermission)
    return new CallDisplay({
      gate,
      config,
      queue: this.queue,
      ...(clock === undefined ? {} : { clock }),
      asksFor: (tool) => clock !== undefined && (asked.has(tool) || asked.has('*')),
      findTerminal: (sessionId) => (clock === undefined ? {} : this.findTerminal(sessionId)),
      exitOf: (callId) => this.unfollow(callId)?.exit() ?? UNKNOWN_EXIT,
    })
  }

  private findTerminal(sessionId: string) {
    const summary = this.options
      .findTerminals()
      ?.list(this.agent)
      .find((each) => each.sessionId === sessionId)
    if (!summary) return undefined
    return { ...(summary.cwd === undefined ? {} : { cwd: summary.cwd }), foreground: summary.foreground }
  }

  private handleEvent(event: SessionEvent): void {
    switch (event.type) {
      case 'tool/call': {
        const { data } = event as SessionEvent<'tool/call'>
        this.display.handleCall(data)
        this.follow(data)
        break
      }
      case 'tool/result': {
        const { data } = event as SessionEvent<'tool/result'>
        this.display.handleResult(data)
        if (typeof data.result.structured?.jobId !== 'string') this.unfollow(data.callId)
        break
      }
      case 'job/settled': {
        const { jobId, status } = (event as SessionEvent<'job/settled'>).data
        this.display.handleSettled(jobId, status)
      }
    }
  }

  private follow({ callId, tool, args }: SessionEvent<'tool/call'>['data']): void {
    const send = parseSend(tool, args)
    const terminals = this.options.findTerminals()
    const terminal = send?.isBackground ? this.findTerminal(send.sessionId) : undefined
    if (!send || !terminals || !terminal || this.options.gate.kind !== 'cards') return
    const onOutput = (text: string) => this.display.handleOutput(callId, text)
    const isInProgram = terminal.foreground !== undefined
    this.followers.set(
      callId,
      followBackgroundSend(terminals, { callId, sessionId: send.sessionId, onOutput }, isInProgram),
    )
  }

  private unfollow(callId: string): BackgroundFollower | undefined {
    const follower = this.followers.get(callId)
    follower?.stop()
    this.followers.delete(callId)
    return follower
  }

  private replayEvent(display: CallDisplay, event: SessionEvent): void {
    switch (event.type) {
      case 'message/user': {
        const { text } = (event as SessionEvent<'message/user'>).data
        this.queue.add(() => [textChunk('user_message_chunk', text)])
        break
      }
      case 'message/agent': {
        const { text } = (event as SessionEvent<'message/agent'>).data
        this.queue.add(() => [textChunk('agent_message_chunk', text)])
        break
      }
      case 'tool/call':
        display.handleCall((event as SessionEvent<'tool/call'>).data)
        break
      case 'tool/progress': {
        const { callId, progress, omittedBytes } = (event as SessionEvent<'tool/progress'>).data
        const omitted = omittedBytes === undefined ? '' : `\r\n[${omittedBytes} bytes were not kept]\r\n`
        display.handleOutput(callId, progress.text + omitted)
        break
      }
      case 'tool/result':
        display.handleResult((event as SessionEvent<'tool/result'>).data)
        break
      case 'job/settled': {
        const { jobId, status } = (event as SessionEvent<'job/settled'>).data
        display.handleSettled(jobId, status)
      }
    }
  }
}

/** @throws RequestError for a turn that failed. */
function nameOutcome(outcome: TurnOutcome): StopReason {
  if (outcome.kind === 'failed') throw turnFailed(outcome.code, outcome.message)
  return stopReasonOf(outcome.kind)
}
