/** Watching a program that needs an answer: the keyboard is free for whoever gives it, the job ends when the command does. */

import type { TerminalEvent } from '@agent-terminals/terminal'
import { exitFact } from '../result/words.js'
import { asSessionId } from '../tools/toolkit.js'
import { endOf, type JobEnd } from './follow.js'
import { type BackgroundJob, interruptProgram, sessionOf } from './job.js'

/** Resolves with the end of the command, of the terminal, or of the job by `kill`. */
export function attendProgram(job: BackgroundJob, kill: AbortSignal): Promise<JobEnd> {
  const session = sessionOf(job)
  if (session === undefined) return Promise.resolve(CLOSED)
  if (session.status.kind !== 'running') return Promise.resolve(endOf(session.status))
  if (kill.aborted) return interruptProgram(job)

  return new Promise((resolve) => {
    let isAnswered = false
    /** How the newest command ended, unless another one has started: several may have been typed at once. */
    let commandEnd: JobEnd | undefined
    const isSending = () => sessionOf(job)?.sending === true
    const settle = (end: JobEnd | Promise<JobEnd>) => {
      release()
      kill.removeEventListener('abort', handleKill)
      resolve(end)
    }
    const handleKill = () => settle(interruptProgram(job))
    const handleEvent = (event: TerminalEvent) => {
      switch (event.type) {
        case 'data':
          if (isAnswered || !isSending()) return
          isAnswered = true
          job.handle.activity({ kind: 'working', detail: 'its question was answered' })
          return
        case 'command-executed':
          commandEnd = undefined
          return
        case 'command-finished':
          // The send that answered comes back when the shell is at its prompt for good, and widens the claim again.
          commandEnd = endOfCommand(event.exitCode, event.durationMs)
          if (!isSending()) settle(commandEnd)
          return
        case 'claimed':
          if (commandEnd !== undefined && !isSending()) settle(commandEnd)
          return
        case 'exited':
          settle(endOf(event.status))
          return
        case 'closed':
          settle(CLOSED)
      }
    }
    const release = job.kit.onTerminalEvent(asSessionId(job.args.sessionId), handleEvent)
    kill.addEventListener('abort', handleKill, { once: true })
  })
}

const CLOSED: JobEnd = { status: 'killed', facts: [{ text: 'killed: the terminal was closed', isEssential: true }] }

function endOfCommand(exitCode: number | undefined, durationMs: number): JobEnd {
  if (exitCode === undefined)
    return { status: 'completed', facts: [{ text: 'the command has ended', isEssential: true }] }
  return { status: exitCode === 0 ? 'completed' : 'failed', facts: [exitFact(exitCode, durationMs)] }
}
