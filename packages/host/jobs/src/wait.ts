import { JobError } from './errors.js'
import type { Job } from './job.js'

/** @throws JobError `WAIT_INVALID`. @returns the time to wait in milliseconds, at most `maxMs`. */
export function limitWait(timeoutMs: number, maxMs: number): number {
  if (typeof timeoutMs !== 'number' || Number.isNaN(timeoutMs) || timeoutMs < 0) {
    throw new JobError('WAIT_INVALID', `timeoutMs must be a number of milliseconds of at least 0, not ${timeoutMs}.`)
  }
  return Math.min(timeoutMs, maxMs)
}

/** Resolves when the job has ended or waits for somebody, or when the time is up. Rejects with the signal's reason. */
export function waitForAttention(job: Job, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    if (job.needsAttention) return resolve()
    const leave = () => {
      clearTimeout(timer)
      release()
      signal?.removeEventListener('abort', handleAbort)
    }
    const finish = () => {
      leave()
      resolve()
    }
    const handleAbort = () => {
      leave()
      reject(signal?.reason)
    }
    const timer = setTimeout(finish, timeoutMs)
    const release = job.onAttention(finish)
    signal?.addEventListener('abort', handleAbort, { once: true })
  })
}

/** What the promise resolves to, or `timeout` when it takes longer. */
export async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T | 'timeout'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
