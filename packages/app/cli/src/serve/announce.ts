/** What `serve` says on standard output, for people and for scripts. Secrets are shown here and nowhere else. Pure. */

export interface Announcement {
  /** Signs one page in. */
  readonly link: string
  readonly ahp: { readonly url: string; readonly token: string; readonly tokenFile?: string | undefined }
  readonly mcp?:
    | {
        readonly url: string
        /** `undefined` when the person who started the command has given it. */
        readonly token: string | undefined
        readonly tokenVariable: string
      }
    | undefined
  /** How another link is had. */
  readonly more: string
}

function renderMcp({ url, token, tokenVariable }: NonNullable<Announcement['mcp']>): readonly string[] {
  const secret = token ?? `$${tokenVariable}`
  return [
    `For MCP clients:    ${url}`,
    `                    claude mcp add --transport http terminals ${url} --header "Authorization: Bearer ${secret}"`,
  ]
}

export function renderAnnouncement({ link, ahp, mcp, more }: Announcement): string {
  const clients =
    ahp.tokenFile === undefined
      ? `${ahp.url}?tkn=${encodeURIComponent(ahp.token)}`
      : `${ahp.url}  token in ${ahp.tokenFile}`
  const lines = [
    `Open in a browser:  ${link}`,
    `For AHP clients:    ${clients}`,
    ...(mcp ? renderMcp(mcp) : []),
    '',
    `The link opens one page, once. ${more} Ctrl-C ends everything.`,
  ]
  return `${lines.join('\n')}\n`
}

/** One line of JSON. Its fields are documented in docs/cli.md. */
export function renderAnnouncementJson({ link, ahp: { url, token }, mcp }: Announcement): string {
  const endpoint = mcp && { url: mcp.url, ...(mcp.token === undefined ? {} : { token: mcp.token }) }
  return `${JSON.stringify({ event: 'serving', link, ahp: { url, token }, ...(endpoint ? { mcp: endpoint } : {}) })}\n`
}

export function renderLink(link: string, isJson: boolean): string {
  return isJson ? `${JSON.stringify({ event: 'link', link })}\n` : `Open in a browser:  ${link}\n`
}
