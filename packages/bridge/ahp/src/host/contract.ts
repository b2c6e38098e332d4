/** `ctx.ahp`: the AHP host of a composition. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transport } from '../protocol/index.js'
import type { Admission } from './server/admission.js'

export type { Admission } from './server/admission.js'

export interface AhpService {
  /** Where clients connect, without a token. `undefined` when the host does not listen. */
  readonly url: string | undefined
  /** What the person who started the host presents. Shown to them once, never logged. */
  readonly token: string
  /** Serve a peer over a transport that has been admitted elsewhere. */
  accept(transport: Transport, peer: { readonly principal: string }): void
  /**
   * Answer plain HTTP requests on the host's port. The handler returns whether it took the request; nothing has been checked
   * but the `Host` header.
   * @returns a release.
   */
  onRequest(handler: (request: IncomingMessage, response: ServerResponse) => boolean): () => void
  /** What the upgrade would say to a request: its `Host`, its `Origin`, its token. For handlers of `onRequest`. */
  admit(request: IncomingMessage): Admission
  /** Whether the request comes from no page, from a page of this server, or from one of `allowedOrigins`. */
  isOriginAllowed(request: IncomingMessage): boolean
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    ahp: AhpService
  }
}
