/** Progress notifications of one call: its output, coalesced and bounded, and a sign of life while it is silent. */
import { utf8Length } from '@agent-terminals/text'
import type { ConnectionConfig } from '../config.js'
import { appendOutput, hasMessage, initialProgressText, takeMessage } from '../core/progress-text.js'

export interface ProgressReporter {
  output(text: string): void
  /** Tell what is pending, in order before the result. Nothing follows. */
  finish(): void
  stop(): void
}

export interface ProgressOptions {
  readonly config: Pick<
    ConnectionConfig,
    'progressIntervalMs' | 'progressMessageBytes' | 'progressTotalBytes' | 'heartbeatMs'
  >
  /** Milliseconds of a clock that only moves forward. */
  readonly now: () => number
  /** Resolves when the transport can take more. */
  readonly send: (progress: number, message: string) => Promise<void>
}

/** `quiet`: nothing pending, the next output goes out at once. `paced`: something went out less than an interval ago. */
type Pace = 'quiet' | 'paced' | 'stopped'

/** `progress` is the time the call has run in milliseconds, and always grows; no total is known. */
export function createProgressReporter({ config, now, send }: ProgressOptions): ProgressReporter {
  const startedAt = now()
  let pace: Pace = 'quiet'
  let text = initialProgressText
  let roomBytes = config.progressTotalBytes
  let lastProgress = 0
  let outputAt = startedAt
  let isSending = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const tell = (message: string): void => {
    lastProgress = Math.max(lastProgress + 1, Math.round(now() - startedAt))
    isSending = true
    const settle = () => {
      isSending = false
    }
    send(lastProgress, message).then(settle, settle)
  }

  const takePending = (): string => {
    const taken = takeMessage(text)
    text = taken.state
    if (taken.message === '') return ''
    roomBytes -= utf8Length(taken.message)
    return roomBytes > 0 ? taken.message : `${taken.message}\n[what follows is not shown here]`
  }

  const enter = (next: Pace, delayMs: number): void => {
    clearTimeout(timer)
    pace = next
    timer = setTimeout(handleTimer, delayMs)
  }
  const enterQuiet = (): void => {
    enter('quiet', config.heartbeatMs)
    if (config.heartbeatMs === 0) clearTimeout(timer)
  }

  /** A transport that is not ready is left alone: what comes meanwhile is merged. */
  const flush = (): void => {
    const message = isSending ? '' : takePending()
    if (message !== '') tell(message)
    enter('paced', config.progressIntervalMs)
  }

  const handleTimer = (): void => {
    if (pace === 'paced' && (isSending || hasMessage(text))) {
      flush()
      return
    }
    if (pace === 'quiet' && !isSending) tell(describeSilence(now() - startedAt, now() - outputAt))
    enterQuiet()
  }

  const stop = (): void => {
    pace = 'stopped'
    clearTimeout(timer)
  }

  enterQuiet()
  return {
    output(piece) {
      if (pace === 'stopped') return
      outputAt = now()
      if (roomBytes <= 0) return
      text = appendOutput(text, piece, config.progressMessageBytes)
      if (pace === 'quiet' && hasMessage(text)) flush()
    },
    finish() {
      if (pace === 'stopped') return
      stop()
      const message = takePending()
      if (message !== '') tell(message)
    },
    stop,
  }
}

function describeSilence(runningMs: number, silentMs: number): string {
  return `[running for ${Math.round(runningMs / 1000)} s, no output for ${Math.round(silentMs / 1000)} s]`
}
