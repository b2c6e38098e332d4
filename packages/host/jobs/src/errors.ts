/** The closed list of job failures. */
export const JOB_ERRORS = {
  OWNER_GONE: 'The owner has ended.',
  DISPOSED: 'The jobs service is shutting down.',
  UNKNOWN_JOB: 'No job with this id belongs to the caller.',
  SPEC_INVALID: 'The description of a job is not usable.',
  LIMIT_REACHED: 'The owner has as many live jobs as it may have.',
  WAIT_INVALID: 'The time to wait is not a number of milliseconds.',
  KILL_FAILED: 'The request to stop could not be delivered.',
  STOP_FAILED: 'The job did not end in time when its owner or the service ended.',
} as const
export type JobErrorCode = keyof typeof JOB_ERRORS

/** A failure with a code to branch on and a message that says what to do next. */
export class JobError extends Error {
  override readonly name = 'JobError'

  constructor(
    readonly code: JobErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
  }
}
