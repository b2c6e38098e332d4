/** The host's plain HTTP side: a link for a token, and whether a token is still good. */

export type Redemption =
  | { readonly kind: 'granted'; readonly token: string }
  | { readonly kind: 'refused'; readonly message: string }

const SESSION = '/session'
export async function redeemLink(link: string): Promise<Redemption> {
  let response: Response
  try {
    response = await fetch(SESSION, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link }),
      cache: 'no-store',
    })
  } catch {
    return { kind: 'refused', message: 'The host did not answer. Is agent-terminals serve still running?' }
  }
  const answer = await readObject(response)
  if (response.ok && typeof answer.token === 'string') return { kind: 'granted', token: answer.token }
  const message = typeof answer.message === 'string' ? answer.message : undefined
  return { kind: 'refused', message: message ?? `The host refused the link (HTTP ${response.status}).` }
}

/** Browsers do not say why a WebSocket was refused: this asks. A host that does not answer has refused nothing. */
export async function isTokenRefused(token: string): Promise<boolean> {
  try {
    const response = await fetch(SESSION, { headers: { authorization: `Bearer ${token}` }, cache: 'no-store' })
    return response.status === 401
  } catch {
    return false
  }
}

async function readObject(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
