/** From a link to a token, as states. The token lives in the tab; the link works once. */

export type Access =
  /** The link is being exchanged for the token. */
  | { readonly kind: 'signing-in'; readonly link: string }
  | { readonly kind: 'signed-in'; readonly token: string }
  /** `problem` says why, unless nobody has tried. */
  | { readonly kind: 'signed-out'; readonly problem: string | undefined }

export type AccessEvent =
  | { readonly type: 'link-given'; readonly link: string }
  /** What was given as a link is none. */
  | { readonly type: 'link-unreadable'; readonly message: string }
  | { readonly type: 'token-granted'; readonly link: string; readonly token: string }
  | { readonly type: 'link-refused'; readonly link: string; readonly message: string }
  /** The host does not know the token (any more). */
  | { readonly type: 'token-refused'; readonly token: string; readonly message: string }
  | { readonly type: 'left' }

/** What comes of an attempt that is not the present one changes nothing. */
export function stepAccess(access: Access, event: AccessEvent): Access {
  switch (event.type) {
    case 'link-given':
      return { kind: 'signing-in', link: event.link }
    case 'link-unreadable':
      return access.kind === 'signed-out' ? { kind: 'signed-out', problem: event.message } : access
    case 'token-granted':
      return isOf(access, event.link) ? { kind: 'signed-in', token: event.token } : access
    case 'link-refused':
      return isOf(access, event.link) ? { kind: 'signed-out', problem: event.message } : access
    case 'token-refused':
      return access.kind === 'signed-in' && access.token === event.token
        ? { kind: 'signed-out', problem: event.message }
        : access
    case 'left':
      return { kind: 'signed-out', problem: undefined }
  }
}

function isOf(access: Access, link: string): boolean {
  return access.kind === 'signing-in' && access.link === link
}
