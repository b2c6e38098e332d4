/** Links of `agent-terminals serve`: `http://host:port/#link=<secret>`. */

const SECRET = /^[\w-]{16,200}$/

export const NOT_A_LINK = 'That is not a link of agent-terminals serve: it ends in #link= and a long secret.'

/** @param fragment - of an address, with or without its `#`. @returns what it gives as the link, whatever that is. */
function findLink(fragment: string): string | undefined {
  return new Map(
    fragment
      .replace(/^#/, '')
      .split('&')
      .map((pair) => {
        const [name = '', value = ''] = pair.split('=', 2)
        return [name, value] as const
      }),
  ).get('link')
}

/** Whether a fragment is meant as a link, readable or not. */
export const isMeantAsLink = (fragment: string) => findLink(fragment) !== undefined

/** @param fragment - of an address, with or without its `#`. @returns the secret in it. */
export function parseFragment(fragment: string): string | undefined {
  const secret = findLink(fragment)
  return secret !== undefined && SECRET.test(secret) ? secret : undefined
}

/** What a person pasted: the whole link, its fragment, or the secret alone. */
export function parseLink(text: string): string | undefined {
  const trimmed = text.trim()
  const start = trimmed.indexOf('#')
  if (start !== -1) return parseFragment(trimmed.slice(start))
  return parseFragment(trimmed) ?? (SECRET.test(trimmed) ? trimmed : undefined)
}
