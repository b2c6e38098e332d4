/** Clients of a test, with a clock that the test moves. */

import { ManualClock } from '@agent-terminals/testing'
import { AhpClient, type AhpClientOptions } from '../../src/client/index.js'

export function openClient(options: AhpClientOptions): { readonly client: AhpClient; readonly clock: ManualClock } {
  const clock = new ManualClock()
  return { client: new AhpClient({ clientId: 'a', clock, ...options }), clock }
}
