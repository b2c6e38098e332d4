/** What a run came to, as an exit code. `docs/cli.md` shows this list; a test keeps both equal. */
import type { TurnOutcome } from '@agent-terminals/agent-loop/contract'

export const EXIT_CODES = {
  completed: 0,
  /** The model, the script or the loop failed: the last event names the code. */
  failed: 1,
  /** The model wanted more steps than `maxSteps`. */
  'step-limit': 3,
  /** SIGINT or SIGTERM; 128 + SIGINT, as shells have it. */
  cancelled: 130,
} as const satisfies Record<TurnOutcome['kind'], number>

export function exitCodeOf(outcome: TurnOutcome): number {
  return EXIT_CODES[outcome.kind]
}
