/** How a command ends, for scripts. */
export const EXIT_CODES = {
  OK: 0,
  FAILED: 1,
  USAGE: 2,
  STEP_LIMIT: 3,
  INTERRUPTED: 130,
  STDOUT_LOST: 141,
} as const

/** What each means, as the help says it. */
export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT_CODES.OK, 'everything was as it must be'],
  [EXIT_CODES.FAILED, 'something failed, and standard error says what'],
  [EXIT_CODES.USAGE, 'the command line was not understood'],
  [EXIT_CODES.STEP_LIMIT, 'headless: the model wanted more steps than it may take'],
  [EXIT_CODES.INTERRUPTED, 'interrupted (Ctrl-C, SIGTERM, SIGHUP); what was started has been closed'],
  [EXIT_CODES.STDOUT_LOST, 'nobody reads standard output any more; what was started has been closed'],
]
