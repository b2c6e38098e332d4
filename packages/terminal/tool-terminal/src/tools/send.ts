/** `terminal_send`: type into a terminal and learn why it came back, or let a job wait for it. */
import type { Agent } from '@agent-terminals/agents/contract'
import { TerminalError } from '@agent-terminals/terminal'
import { joinBlocks } from '@agent-terminals/text'
import type { RenderIntent, TerminalCard, ToolResult } from '@agent-terminals/tools/contract'
import { JOB_KIND, startBackgroundSend } from '../background/start.js'
import { ToolTerminalError } from '../errors.js'
import { sendInForeground } from '../foreground.js'
import { type SendData, sendInputFor, sendOutputFor } from './features.js'
import { type SendArguments, typedText } from './send-schema.js'
import { sendTitle } from './send-title.js'
import { asSessionId, defineTool, findSession, resultCard, type Toolkit } from './toolkit.js'

export const createSendTool = (kit: Toolkit) =>
  defineTool(kit, {
    name: 'terminal_send',
    description:
      'Type text into a terminal and wait until it is ready for more. Returns the new output, why the wait ended, and what ' +
      'the terminal is doing now. PTY sessions are less auditable than one-shot tools; prefer those when nothing has to ' +
      'persist. One send at a time per terminal.',
    input: sendInputFor(kit.config.features, kit.config.enableRunInBackground),
    output: sendOutputFor(kit.config.features),
    effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    async execute(args: SendArguments, exec) {
      if ('run_in_background' in args && !kit.config.enableRunInBackground) {
        throw new ToolTerminalError(
          'BACKGROUND_DISABLED',
          'run_in_background is not available here. Nothing was written. Send without it, and wait on with text "" and submit false.',
        )
      }
      try {
        if (args.run_in_background === true) return startBackgroundSend(kit, args, exec)
        return await sendInForeground(kit, args, exec)
      } catch (error) {
        throw explainBusy(kit, exec.agent, error)
      }
    },
    concealArguments: (args: SendArguments, agent) => concealText(kit, args, agent),
    presentCall: (args: SendArguments, agent) =>
      args.run_in_background === true
        ? { card: 'generic', kind: 'execute', title: `Background: ${sendTitle(args)}` }
        : announce(kit, args, agent),
    presentResult: (args: SendArguments, result) =>
      args.run_in_background === true
        ? resultCard('execute', `Background: ${sendTitle(args)}`, result)
        : conclude(kit, args, result),
  })

/** A send that another one keeps out: what can be done about that, in the words of these tools. */
function explainBusy(kit: Toolkit, agent: Agent, error: unknown): unknown {
  if (!(error instanceof TerminalError) || error.code !== 'SEND_ACTIVE') return error
  const jobs = kit.findJobs()?.list(agent) ?? []
  const hasJob = jobs.some(({ kind, endedAt }) => kind === JOB_KIND && endedAt === undefined)
  const jobAdvice = hasJob ? ' job_list names background sends: job_output waits for one, job_kill interrupts it.' : ''
  return new TerminalError(
    'SEND_ACTIVE',
    `Another send is still active on this terminal; nothing was written. terminal_read looks on, terminal_signal SIGINT interrupts it, and another terminal is free.${jobAdvice}`,
  )
}

/** Stands in the log, on cards and in the model's memory for text that a program reads with echo off. */
const CONCEALED = '[hidden input]'

/**
 * Whether text is a secret is known by whoever is to read it, at the moment of the call. An unknown terminal takes nothing at all.
 */
async function concealText(kit: Toolkit, args: SendArguments, agent: Agent): Promise<SendArguments | undefined> {
  const id = asSessionId(args.sessionId)
  const isEmpty = typedText(args) === '' && args.keys === undefined
  if (isEmpty || findSession(kit, agent, id)?.status.kind !== 'running') return undefined
  if (!(await kit.terminals.takesSecret(agent, id))) return undefined
  const { keys, ...rest } = args
  return { ...rest, text: CONCEALED, ...(keys === undefined ? {} : { keys: [] }) }
}

function announce(kit: Toolkit, args: SendArguments, agent: Agent): RenderIntent {
  const cwd = findSession(kit, agent, args.sessionId)?.cwd
  return { card: 'terminal', title: sendTitle(args), ...(cwd === undefined ? {} : { cwd }) }
}

/** Output of a settled send has been streamed; anything else (an error, a hook's answer) has to be shown. */
function conclude(kit: Toolkit, args: SendArguments, result: ToolResult): TerminalCard {
  const output = sendOutputFor(kit.config.features)
  const settled = result.isError === true ? undefined : output.safeParse(result.structured).data
  const exit = settled === undefined ? undefined : exitOf(settled)
  return {
    card: 'terminal',
    title: sendTitle(args),
    ...(settled?.cwd === undefined ? {} : { cwd: settled.cwd }),
    ...(settled === undefined ? { output: joinBlocks(result.content) } : {}),
    ...(exit === undefined ? {} : { exit }),
  }
}

/** How the command, or the terminal itself, ended. Nothing while something still runs: a timeout is not an end. */
function exitOf({ waitReason, sessionStatus, state, exitCode }: SendData): TerminalCard['exit'] {
  if (sessionStatus?.kind === 'exited') return { exitCode: sessionStatus.exitCode, signal: null }
  if (sessionStatus?.kind === 'signalled') return { exitCode: null, signal: sessionStatus.signal }
  if (waitReason === 'timeout' || state !== 'prompt' || exitCode === undefined) return undefined
  return { exitCode, signal: null }
}
