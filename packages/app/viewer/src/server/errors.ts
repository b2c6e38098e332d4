/** The closed list of ways the viewer's server fails, at start and to a page. */
export const VIEWER_ERRORS = {
  PAGE_MISSING: 'The page has not been built.',
  NOT_LISTENING: 'The AHP host does not listen, so there is no port to serve the page on.',
} as const
export type ViewerErrorCode = keyof typeof VIEWER_ERRORS

export class ViewerError extends Error {
  override readonly name = 'ViewerError'

  constructor(
    readonly code: ViewerErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
  }
}

/** How `/session` refuses: the status, and what the page may show to the person. */
export const SIGN_IN_REFUSALS = {
  LINK_USED: { status: 401, message: 'This link has been used. Ask for another where the server was started.' },
  LINK_UNKNOWN: { status: 401, message: 'This link is not of this server. Use the one that it printed last.' },
  TOKEN_INVALID: { status: 401, message: 'The server was started anew. Open the link that it printed.' },
  ORIGIN_REFUSED: { status: 403, message: 'Pages of this origin may not sign in here.' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is longer than a link.' },
  BODY_INVALID: { status: 400, message: 'The body must be {"link": "…"} and nothing else.' },
  TYPE_UNSUPPORTED: { status: 415, message: 'Send the body as application/json.' },
  TOO_MANY_TRIES: { status: 429, message: 'Too many tries. Wait a minute and try again.' },
} as const
export type SignInRefusal = keyof typeof SIGN_IN_REFUSALS
