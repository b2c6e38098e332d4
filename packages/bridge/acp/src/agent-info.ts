import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

/** How the agent introduces itself to clients. */
export const AGENT_INFO = { name: 'agent-terminals', title: 'agent-terminals', version: manifest.version }
