/** What a person is told about MCP servers that their client offers: this agent's tools are its own. */

export interface OfferedServer {
  readonly name: string
}

const MOST_NAMED = 10
const MOST_NAME_UNITS = 60

const nameOf = ({ name }: OfferedServer) => {
  const line = name.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.length <= MOST_NAME_UNITS ? line : `${line.slice(0, MOST_NAME_UNITS)}…`
}

/** @returns nothing where nothing was offered. */
export function renderUnusedServers(servers: readonly OfferedServer[]): string | undefined {
  if (servers.length === 0) return undefined
  const named = servers.slice(0, MOST_NAMED).map(nameOf).join(', ')
  const more = servers.length > MOST_NAMED ? `, and ${servers.length - MOST_NAMED} more` : ''
  return `(This agent works in its own terminals and uses no MCP servers. Not connected: ${named}${more}.)\n\n`
}
