/** Live output of background sends: between the shell's marks of a command, a terminal's data belongs to the call. Sheet §6.6. */
import type { TerminalEvent, TerminalSessionId, TerminalSessions } from '@agent-terminals/terminal'
import type { Exit } from './core/index.js'

export interface FollowedSend {
  readonly callId: string
  readonly sessionId: string
  readonly onOutput: (text: string) => void
}

export interface BackgroundFollower {
  /** How the program ended, as far as the terminal has told. */
  exit(): Exit
  stop(): void
}

/** @param isInProgram - whether a program has the terminal already: then what is typed is for it, and no command starts. */
export function followBackgroundSend(
  terminals: TerminalSessions,
  send: FollowedSend,
  isInProgram: boolean,
): BackgroundFollower {
  const decoder = new TextDecoder()
  let isRunning = isInProgram
  let exit: Exit = { exitCode: null, signal: null }

  const handle = (event: TerminalEvent): void => {
    switch (event.type) {
      case 'command-executed':
        isRunning = true
        break
      case 'data': {
        const text = isRunning ? decoder.decode(event.bytes, { stream: true }) : ''
        if (text !== '') send.onOutput(text)
        break
      }
      case 'command-finished':
        isRunning = false
        exit = { exitCode: event.exitCode ?? null, signal: null }
        break
      case 'exited':
        if (event.status.kind === 'exited') exit = { exitCode: event.status.exitCode, signal: null }
        if (event.status.kind === 'signalled') exit = { exitCode: null, signal: event.status.signal }
    }
  }
  const stop = terminals.observers.on(send.sessionId as TerminalSessionId, (_, event) => handle(event))
  return { exit: () => exit, stop }
}
