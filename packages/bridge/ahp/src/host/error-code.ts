/** The code by which an error of another package tells what it is, or nothing. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
