/** Progress of one call: to the caller at once, to the log merged and bounded. */
import { clipHead, utf8Length } from '@agent-terminals/text'
import type { ToolProgress } from '../contract.js'

export interface ProgressOptions {
  /** The caller's own listener, told of everything. */
  readonly listener: ((progress: ToolProgress) => void) | undefined
  /** Record a merged piece. `omittedBytes` is given once, at the end, when something was left out. */
  readonly record: (progress: ToolProgress, omittedBytes?: number) => void
  /** Shortest time between two records, in milliseconds. */
  readonly intervalMs: number
  /** Most bytes of text recorded for the call. */
  readonly maxBytes: number
  /** Told once when the listener throws; it is not called again. */
  readonly onListenerError: (error: unknown) => void
}

export interface ProgressReporter {
  report(progress: ToolProgress): void
  /** Record what is pending and take nothing more. */
  end(): void
}

export function createProgressReporter(options: ProgressOptions): ProgressReporter {
  let listener = options.listener
  let pending = ''
  let roomBytes = options.maxBytes
  let omittedBytes = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isEnded = false

  const keep = (text: string): void => {
    const kept = omittedBytes > 0 ? '' : clipHead(text, roomBytes)
    const keptBytes = utf8Length(kept)
    roomBytes -= keptBytes
    omittedBytes += kept.length === text.length ? 0 : utf8Length(text) - keptBytes
    pending += kept
  }

  const flush = (): void => {
    if (pending === '') return
    const text = pending
    pending = ''
    options.record({ kind: 'output', text })
  }

  /** The first piece is recorded at once, later ones at most once per interval. */
  const schedule = (): void => {
    if (timer !== undefined || pending === '') return
    flush()
    timer = setTimeout(() => {
      timer = undefined
      schedule()
    }, options.intervalMs)
    timer.unref()
  }

  return {
    report(progress) {
      if (isEnded || progress.kind !== 'output' || typeof progress.text !== 'string' || progress.text === '') return
      keep(progress.text)
      try {
        listener?.(progress)
      } catch (error) {
        listener = undefined
        options.onListenerError(error)
      }
      // The listener may have ended the call.
      if (!isEnded) schedule()
    },

    end() {
      if (isEnded) return
      isEnded = true
      clearTimeout(timer)
      flush()
      if (omittedBytes > 0) options.record({ kind: 'output', text: '' }, omittedBytes)
    },
  }
}
