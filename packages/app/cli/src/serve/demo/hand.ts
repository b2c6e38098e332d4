/** The demo agent's hand at one terminal. Whatever a person did there, it finds its way back to a prompt or lets go. */
import type { Agent } from '@agent-terminals/agents/contract'
import type { SendRequest, TerminalSessions, TerminalState } from '@agent-terminals/terminal'
import type { Keyboard } from './keyboard.js'

/** How long the agent watches a program that does not come to an end. */
const STEP_TIMEOUT_MS = 20_000
const LOOK_TIMEOUT_MS = 1_000
/** End of file, as Ctrl-D types it. */
const END_OF_FILE = '\u0004'
const MAX_TRIES = 3

export interface Hand {
  /** Type a line and watch. @returns the state afterwards, or nothing when the terminal was not free. @throws the signal's reason. */
  type(text: string): Promise<TerminalState | undefined>
  /** @returns whether the shell is at its prompt now, with nothing typed. */
  findPrompt(): Promise<boolean>
}

export function createHand(
  terminals: TerminalSessions,
  agent: Agent,
  { sessionId }: Keyboard,
  signal: AbortSignal,
): Hand {
  let steps = 0

  const send = async (request: SendRequest): Promise<TerminalState | undefined> => {
    signal.throwIfAborted()
    try {
      // The tool call is what lets people see that the agent is at work.
      const sent = terminals.send(agent, sessionId, { ...request, signal, toolCallId: `demo-${++steps}` })
      const outcome = await sent.outcome
      signal.throwIfAborted()
      return outcome.kind === 'settled' ? outcome.result.state : undefined
    } catch {
      // A person was quicker: took the keyboard, closed the terminal, ended its shell.
      signal.throwIfAborted()
      return undefined
    }
  }
  const look = () => send({ text: '', submit: false, timeoutMs: LOOK_TIMEOUT_MS })

  return {
    type: (text) => send({ text, submit: true, timeoutMs: STEP_TIMEOUT_MS }),
    async findPrompt() {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        // At a prompt it only clears the line.
        await terminals.signal(agent, sessionId, 'SIGINT').catch(() => undefined)
        if ((await look()) === 'prompt') return true
        await send({ text: END_OF_FILE, submit: false, timeoutMs: LOOK_TIMEOUT_MS })
        if ((await look()) === 'prompt') return true
      }
      return false
    },
  }
}
