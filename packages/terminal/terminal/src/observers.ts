/** The view of trusted observers: every terminal, whoever owns it. */
import { checkSize } from './admission.js'
import { TerminalError } from './errors.js'
import type { EventHub } from './event-hub.js'
import type { SessionRegistry } from './registry.js'
import type { TerminalObservers } from './types.js'

export function createObservers(registry: SessionRegistry, events: EventHub): TerminalObservers {
  return {
    list: () => registry.published().map((session) => session.summary()),
    get: (id) =>
      registry
        .published()
        .find((session) => session.id === id)
        ?.summary(),
    read: (id, request) => registry.findAny(id).read(request),
    on: (scope, listener) => events.add(scope, listener),
    claim(id, claim) {
      const session = registry.findAny(id)
      if (claim.kind === 'owner' && registry.isOrphan(session)) {
        throw new TerminalError(
          'OWNER_GONE',
          'The owner of this terminal has ended, so it cannot be handed back. Close it when it is no longer needed.',
        )
      }
      session.setClaim(claim)
    },
    input: async (id, clientId, data, options) =>
      registry.findAny(id).input(options?.holder === 'any' ? undefined : clientId, data),
    resize(id, size) {
      checkSize(size)
      registry.findAny(id).resize(size)
    },
    close: async (id) => registry.findAny(id).close(),
  }
}
