/** `ctx.viewer`: the web page of a composition. */
import type {} from '@deepseek-ai/cordis'

export interface ViewerService {
  /** Where the page is, without any secret: it asks for a link. */
  readonly url: string
  /**
   * An address that signs one page in, once. The secret is in its fragment, which browsers send to nobody. Show it to the
   * person who started the server, and write it into no log. It is good as long as the server lives, unless 64 newer ones have
   * been made.
   */
  createLink(): string
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    viewer: ViewerService
  }
}
