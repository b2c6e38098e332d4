/** `ctx.acp`: an ACP agent for whoever brings a stream. */

import type { Stream } from '@agentclientprotocol/sdk'
import type {} from '@deepseek-ai/cordis'

export interface AcpServing {
  /** Resolves when the connection has ended and every agent of it has been disposed. */
  readonly ended: Promise<void>
  /** End the connection from this side; resolves like `ended`. */
  close(): Promise<void>
}

export interface AcpService {
  /** Serve one client. Every session of it is an agent with its own scope, which ends with the connection. */
  serve(stream: Stream): AcpServing
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    acp: AcpService
  }
}
