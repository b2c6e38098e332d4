/** The closed list of ways the command line fails by itself. */
export const CLI_ERRORS = {
  CONFIG_MISSING: 'The composition file does not exist.',
  CONFIG_INVALID: 'The composition file cannot be read.',
  LISTEN_FAILED: 'A server of a command could not be started.',
  BOOT_FAILED: 'A plugin of the composition did not start.',
  OPTION_INVALID: 'An option has a value that cannot be used.',
  SANDBOX_UNAVAILABLE: 'The sandbox mode cannot be provided here.',
} as const
export type CliErrorCode = keyof typeof CLI_ERRORS

export class CliError extends Error {
  override readonly name = 'CliError'

  constructor(
    readonly code: CliErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
  }
}

export function isCliError(error: unknown): error is CliError {
  return error instanceof CliError
}
