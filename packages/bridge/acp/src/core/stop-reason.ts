/** What a turn's outcome is called in ACP v1. A failed turn has no stop reason: its request answers with an error. */

export type StopReason = 'end_turn' | 'max_turn_requests' | 'cancelled'

export function stopReasonOf(outcome: 'completed' | 'step-limit' | 'cancelled'): StopReason {
  switch (outcome) {
    case 'completed':
      return 'end_turn'
    case 'step-limit':
      return 'max_turn_requests'
    case 'cancelled':
      return 'cancelled'
  }
}
