/** What the composition really does here: a terminal is opened as an agent would, and its shell is asked to prove its integration. */
import type { Agent } from '@agent-terminals/agents/contract'
import type { OpenedSession, SendOutcome, SendResult } from '@agent-terminals/terminal'
import type { Context } from '@deepseek-ai/cordis'
import { withProgress } from '../progress.js'
import type { Check } from './report.js'

const LIVE_TIMEOUT_MS = 10_000

/** One open terminal, and how to talk to it. */
export interface LiveTerminal {
  readonly opened: Pick<OpenedSession, 'pid' | 'evidence'>
  /** Send a line, or text as it is, and wait until the terminal is ready. */
  send(text: string, options?: { readonly submit: boolean }): Promise<SendOutcome>
}

/**
 * Open a terminal, use it, and end it with everything in it.
 * @throws what the opening threw, or the reason of the signal.
 */
export async function withTerminal<T>(
  ctx: Context,
  signal: AbortSignal,
  use: (terminal: LiveTerminal) => Promise<T>,
): Promise<T> {
  const agent: Agent = await ctx.agents.create({ cwd: process.cwd() })
  try {
    const opened = await withProgress('Opening a terminal', ctx.terminals.spawn(agent, { type: 'shell', signal }))
    return await use({
      opened,
      async send(text, { submit } = { submit: true }) {
        const request = { text, submit, timeoutMs: LIVE_TIMEOUT_MS, signal }
        const outcome = await withProgress(
          'Trying the terminal',
          ctx.terminals.send(agent, opened.sessionId, request).outcome,
        )
        signal.throwIfAborted()
        return outcome
      },
    })
  } finally {
    await withProgress('Closing the terminal', agent.dispose())
  }
}

export function describeOutcome(outcome: SendOutcome): string {
  switch (outcome.kind) {
    case 'settled':
      return `${outcome.result.waitReason}, ${outcome.result.state}`
    case 'failed':
      return `failed: ${outcome.error.message}`
    case 'cancelled':
      return 'cancelled'
  }
}

/** Since when bash marks the start of a command by itself (PS0). */
const MARKING_BASH = { major: 4, minor: 4 }

/** @param outcome - of `echo "$BASH_VERSION"`. */
export function checkShell(outcome: SendOutcome): Check {
  const name = 'shell'
  if (outcome.kind !== 'settled' || outcome.result.state !== 'prompt') {
    return {
      name,
      status: 'fail',
      detail: `no prompt after a command: ${describeOutcome(outcome)}`,
      cost: 'Sends return late, and without knowing whether a command has ended.',
      advice: 'Set shell in the configuration of terminal-bash to a bash; AGENT_TERMINALS_DEBUG=1 logs what was seen.',
    }
  }
  const version = outcome.result.viewport.text.trim()
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < MARKING_BASH.major || (major === MARKING_BASH.major && minor < MARKING_BASH.minor)
  const notes = [
    'It is older than 4.4: a message that comes without a command having started is kept in the scrollback only.',
  ]
  return { name, status: 'ok', detail: `bash ${version}`, ...(isOld ? { notes } : {}) }
}

/** What the shell integration must tell of a command that changes the directory and fails. */
export const INTEGRATION_TEST = { text: 'cd / && (exit 7)', exitCode: 7, cwd: '/' } as const

/** @param outcome - of the integration's test. */
export function checkIntegration(outcome: SendOutcome): Check {
  const name = 'integration'
  const problems = outcome.kind === 'settled' ? findProblems(outcome.result) : [describeOutcome(outcome)]
  if (problems.length === 0) return { name, status: 'ok', detail: 'prompt marks, exit code and directory are right' }
  return {
    name,
    status: 'warn',
    detail: problems.join('; '),
    cost: 'Exit codes and the directory are unknown or wrong, and ends of commands are told by kernel evidence or silence.',
    advice:
      'Set loadUserRc: false, or look in your start files for what replaces PROMPT_COMMAND, PS1 or the DEBUG trap.',
  }
}

function findProblems({ promptDetection, exitCode, cwd }: SendResult): readonly string[] {
  const expected = INTEGRATION_TEST
  return [
    ...(promptDetection === 'active' ? [] : [`prompt marks are ${promptDetection}`]),
    ...(exitCode === expected.exitCode ? [] : [`exit code ${exitCode ?? 'unknown'} instead of ${expected.exitCode}`]),
    ...(cwd === expected.cwd ? [] : [`directory ${cwd ?? 'unknown'} instead of ${expected.cwd}`]),
  ]
}
