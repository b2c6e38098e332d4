import type { Survivor, TerminationFailure } from '../contract.js'

/** Processes were still there when termination gave up. Terminating again starts a new attempt. */
export class TreeSurvivedError extends Error implements TerminationFailure {
  override readonly name = 'TreeSurvivedError'
  readonly code = 'SURVIVORS'

  constructor(readonly survivors: readonly Survivor[]) {
    const names = survivors.map(({ pid, command }) => `${pid} (${command})`).join(', ')
    super(
      `These processes of the terminal could not be ended: ${names}. They may run as another user or hang in the kernel; close again, or end them by hand.`,
    )
  }
}
