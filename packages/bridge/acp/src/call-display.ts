/** Tool calls of one session on their way to the client: what the log tells becomes steps, steps become messages. */
import type { SessionEvent } from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/jobs/contract'
import { joinBlocks } from '@agent-terminals/text'
import type {} from '@agent-terminals/tools/contract'
import { CardOutput } from './card-output.js'
import type { Clock } from './clock.js'
import type { Config } from './config.js'
import {
  abandon,
  announce,
  appendOutput,
  type CallState,
  describeCall,
  describeEnding,
  type Exit,
  type Gate,
  type Outgoing,
  parseSend,
  readCard,
  type StepResult,
  stepCall,
} from './core/index.js'
import type { UpdateQueue } from './update-queue.js'

export interface CallDisplayOptions {
  readonly gate: Gate
  readonly config: Config
  readonly queue: UpdateQueue
  /** Absent for a replay: then nothing is paced and output comes from the log. */
  readonly clock?: Clock
  /** Whether the client is asked before a tool runs. */
  readonly asksFor: (tool: string) => boolean
  /** The terminal of a background send, when its output can be followed. */
  readonly findTerminal: (sessionId: string) => { readonly cwd?: string } | undefined
  /** How the program of a background send has ended, as far as its terminal has told. */
  readonly exitOf: (callId: string) => Exit
}

interface ShownCall {
  state: CallState
  readonly output: CardOutput
  readonly isBackground: boolean
  jobId?: string
}

type LoggedCall = SessionEvent<'tool/call'>['data']
type LoggedResult = SessionEvent<'tool/result'>['data']

export class CallDisplay {
  private readonly calls = new Map<string, ShownCall>()
  /** Jobs that settled before their call had its result. */
  private readonly settledEarly = new Map<string, string>()

  constructor(private readonly options: CallDisplayOptions) {}

  handleCall(call: LoggedCall): void {
    const { callId } = call
    const { gate, config, clock, queue, asksFor, findTerminal } = this.options
    const output = new CardOutput({
      limits: {
        maxCardBytes: config.maxCardBytes,
        tailBytes: config.cardTailBytes,
        maxChunkUnits: config.maxChunkUnits,
      },
      ...(clock === undefined ? {} : { pace: { clock, intervalMs: config.flushIntervalMs } }),
      requestFlush: () => queue.add(() => this.flush(callId, output)),
    })
    const send = parseSend(call.tool, call.args)
    const announcement = describeCall(call, {
      isPending: asksFor(call.tool),
      followed: send?.isBackground ? findTerminal(send.sessionId) : undefined,
    })
    const { state, outgoing } = announce(announcement, gate)
    const isBackground = announcement.terminal !== undefined && call.presentation.card !== 'terminal'
    this.calls.set(callId, { state, output, isBackground })
    this.perform(callId, output, outgoing)
  }

  handleOutput(callId: string, text: string): void {
    this.step(callId, (state) => stepCall(state, { kind: 'output', text }, this.options.config.maxBlockBytes))
  }

  handlePermission(callId: string): void {
    this.step(callId, (state) => stepCall(state, { kind: 'permitted' }, this.options.config.maxBlockBytes))
  }

  handleResult(result: LoggedResult): void {
    const call = this.calls.get(result.callId)
    if (!call) return
    const { maxBlockBytes } = this.options.config
    const text = joinBlocks(result.result.content)
    const jobId = result.result.structured?.jobId
    if (call.isBackground && result.outcome === 'completed' && typeof jobId === 'string') {
      call.jobId = jobId
      this.step(result.callId, (state) => stepCall(state, { kind: 'handed-over', text }, maxBlockBytes))
      const status = this.settledEarly.get(jobId)
      if (status !== undefined) this.handleSettled(jobId, status)
      return
    }
    const ending = describeEnding(
      {
        outcome: result.outcome,
        isError: result.result.isError ?? false,
        code: result.result.code,
        text,
        structured: result.result.structured,
        ...readCard(result.presentation, call.isBackground ? text : undefined),
      },
      call.output.hasOutput,
    )
    this.step(result.callId, (state) => stepCall(state, { kind: 'concluded', ending }, maxBlockBytes))
  }

  /** A job has settled: the program of a background send has ended. */
  handleSettled(jobId: string, status: string): void {
    for (const [callId, call] of this.calls) {
      if (call.jobId !== jobId) continue
      this.settledEarly.delete(jobId)
      const exit = this.options.exitOf(callId)
      const notice = noticeOfJob(status, exit.exitCode)
      const event = { kind: 'exited', exit, ...(notice === undefined ? {} : { notice }) } as const
      this.step(callId, (state) => stepCall(state, event, this.options.config.maxBlockBytes))
      return
    }
    if (this.options.gate.kind === 'cards') this.settledEarly.set(jobId, status)
  }

  /** Close what the turn has left open. Programs in the background go on. */
  closeOpenCalls(notice: string): void {
    this.abandonCalls('open', notice)
  }

  /** Close everything, programs in the background included. */
  closeAll(notice: string): void {
    this.abandonCalls('open', notice)
    this.abandonCalls('detached', notice)
  }

  private abandonCalls(phase: CallState['phase'], notice: string): void {
    for (const [callId, call] of this.calls) {
      if (call.state.phase !== phase) continue
      this.step(callId, (state) => abandon(state, notice, this.options.config.maxBlockBytes))
    }
  }

  private step(callId: string, apply: (state: CallState) => StepResult): void {
    const call = this.calls.get(callId)
    if (!call) return
    const { state, outgoing } = apply(call.state)
    call.state = state
    this.perform(callId, call.output, outgoing)
    if (state.phase === 'ended') this.calls.delete(callId)
  }

  private perform(callId: string, output: CardOutput, outgoing: readonly Outgoing[]): void {
    for (const item of outgoing) {
      switch (item.kind) {
        case 'message':
          this.options.queue.add(() => [item.message])
          break
        case 'output':
          output.push(item.text)
          break
        case 'finish':
          output.finish()
          break
        case 'notice':
          output.note(item.text)
          break
        case 'drain':
          this.options.queue.add(() => this.flush(callId, output))
      }
    }
  }

  private *flush(callId: string, output: CardOutput) {
    const { gate } = this.options
    if (gate.kind !== 'cards') return
    for (const data of output.drain()) yield appendOutput(callId, gate.outputKey, data)
  }
}

/** For readers that show no exit code. Sheet §6.6. */
function noticeOfJob(status: string, exitCode: number | null): string | undefined {
  if (status === 'killed') return '[killed]'
  if (exitCode !== null) return exitCode === 0 ? undefined : `[exited with code ${exitCode}]`
  return status === 'failed' ? '[failed]' : undefined
}
