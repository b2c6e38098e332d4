/** The append-only log of one session. */
import type { SessionEvent, SessionEventMap, SessionEventType, SessionLog } from './contract.js'
import { copyPlainJson, NotPlainJson } from './core/plain-json.js'
import { AgentError } from './errors.js'

export interface SessionLogOptions {
  readonly id: string
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Told about listeners that throw. */
  readonly onListenerError: (error: unknown) => void
}

export interface OwnedSessionLog extends SessionLog {
  readonly isSealed: boolean
  /** Refuse every further event. The recorded ones stay readable. */
  seal(): void
}

type Guard = (type: SessionEventType, data: unknown) => void
type Listener = (event: SessionEvent) => void

export function createSessionLog(options: SessionLogOptions): OwnedSessionLog {
  const entries: SessionEvent[] = []
  const guards = new Set<Guard>()
  const listeners = new Set<Listener>()
  const undelivered: SessionEvent[] = []
  let snapshot: readonly SessionEvent[] = Object.freeze([])
  let isSealed = false
  let isDelivering = false

  /** A listener may append: its event waits until everybody has seen the current one, so all see the same order. */
  const deliver = (event: SessionEvent): void => {
    undelivered.push(event)
    if (isDelivering) return
    isDelivering = true
    for (let next = undelivered.shift(); next !== undefined; next = undelivered.shift()) {
      for (const listener of [...listeners]) {
        if (!listeners.has(listener)) continue
        try {
          listener(next)
        } catch (error) {
          options.onListenerError(error)
        }
      }
    }
    isDelivering = false
  }

  return Object.freeze<OwnedSessionLog>({
    id: options.id,

    get events() {
      if (snapshot.length !== entries.length) snapshot = Object.freeze([...entries])
      return snapshot
    },

    append<Type extends SessionEventType>(type: Type, data: SessionEventMap[Type]): SessionEvent<Type> {
      const copied = copyData(type, data) as SessionEventMap[Type]
      if (isSealed) {
        throw new AgentError('DISPOSED', `Session ${options.id} has ended; ${type} was not recorded.`)
      }
      for (const check of [...guards]) check(type, copied)
      const event = Object.freeze({ seq: entries.length + 1, at: options.now(), type, data: copied })
      entries.push(event as SessionEvent)
      deliver(event as SessionEvent)
      return event
    },

    guard(check: Guard) {
      // A guard given twice is two guards: each release ends one.
      const guard: Guard = (type, data) => check(type, data)
      guards.add(guard)
      return () => void guards.delete(guard)
    },

    onEvent(listen: Listener) {
      const listener: Listener = (event) => listen(event)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    get isSealed() {
      return isSealed
    },

    seal() {
      isSealed = true
    },
  })
}

function copyData(type: string, data: unknown): unknown {
  try {
    return copyPlainJson(data)
  } catch (error) {
    if (!(error instanceof NotPlainJson)) throw error
    throw new AgentError('DATA_INVALID', `${type} was not recorded: ${error.message}.`, { cause: error })
  }
}
