/** Session logs on disk: one file of JSON lines per session, readable by the user alone. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Agent, SessionEvent } from '@agent-terminals/agents/contract'

export interface SessionStore {
  /** Write down what the agent's log holds and will hold. */
  keep(agent: Agent): void
  /** Write down what will come: the file holds the log so far already. */
  follow(agent: Agent): void
  /** @returns the events of a kept session, or nothing when there is none with the id. */
  read(sessionId: string): Promise<readonly SessionEvent[] | undefined>
  /** Resolves when everything recorded so far is on disk. */
  settled(): Promise<void>
}

/** Ids are file names here: anything else could name a file elsewhere. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/

/** @throws Error naming the field when the directory cannot be made or written: a session must not be lost when it ends. */
export function createSessionStore(directory: string, onError: (error: unknown) => void): SessionStore {
  const root = resolve(directory)
  makeWritable(root)
  const fileOf = (sessionId: string) => join(root, `${sessionId}.jsonl`)
  let writing: Promise<unknown> = Promise.resolve()

  const write = (file: string, event: SessionEvent) => {
    const line = `${JSON.stringify(event)}\n`
    writing = writing.then(() => appendFile(file, line, { mode: 0o600 })).catch(onError)
  }
  const follow = (agent: Agent) => void agent.session.onEvent((event) => write(fileOf(agent.id), event))

  return {
    keep(agent) {
      for (const event of agent.session.events) write(fileOf(agent.id), event)
      follow(agent)
    },

    follow,

    async read(sessionId) {
      await writing
      if (!FILE_NAME.test(sessionId)) return undefined
      try {
        return parseLines(await readFile(fileOf(sessionId), 'utf8'))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },

    async settled() {
      await writing
    },
  }
}

function makeWritable(root: string): void {
  try {
    makeDirectory(root)
    // The dot refuses a file.
    accessSync(`${root}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`sessionsDirectory ${root} cannot be used: ${reason}. Name a directory that can be written.`, {
      cause,
    })
  }
}

/** Not Node's `recursive`: below a directory that refuses children as if it were missing (`/proc`) it tries again for ever (Node 20). */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** A host that was killed may have left half a line: what is before it counts. */
function parseLines(text: string): readonly SessionEvent[] {
  const events: SessionEvent[] = []
  for (const line of text.split('\n')) {
    if (line === '') continue
    try {
      events.push(JSON.parse(line) as SessionEvent)
    } catch {
      break
    }
  }
  return events
}
