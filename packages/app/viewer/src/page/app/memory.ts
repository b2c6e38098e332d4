/** What a tab keeps over a reload, and what a browser keeps for the next visit. */
import { mintId } from '@agent-terminals/ahp/client'
import { type SessionClaim, sessionClaimSchema } from '@agent-terminals/ahp/protocol'

const CLIENT_ID = 'agent-terminals.client'
const TOKEN = 'agent-terminals.token'
const SELECTED = 'agent-terminals.selected'
const OWNERS = 'agent-terminals.owners'

/** Private windows may refuse storage: then a reload forgets, and everything else works. */
function read(storage: () => Storage, key: string): string | undefined {
  try {
    return storage().getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

function write(storage: () => Storage, key: string, value: string | undefined): void {
  try {
    if (value === undefined) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    // As if there were nothing to keep.
  }
}

const ofTab = () => sessionStorage
const ofBrowser = () => localStorage

export const token = {
  load: () => read(ofTab, TOKEN),
  save: (value: string | undefined) => write(ofTab, TOKEN, value),
}

export const selected = {
  load: () => read(ofTab, SELECTED),
  save: (value: string | undefined) => write(ofTab, SELECTED, value),
}

/**
 * The id in whose name this tab holds keyboards. It lies in the storage only while no page uses it: a duplicated tab copies
 * the storage, finds none, and is somebody else.
 */
export function claimClientId(): string {
  const id = read(ofTab, CLIENT_ID) ?? mintId()
  write(ofTab, CLIENT_ID, undefined)
  addEventListener('pagehide', () => write(ofTab, CLIENT_ID, id))
  addEventListener('pageshow', () => write(ofTab, CLIENT_ID, undefined))
  return id
}

export const owners = {
  load(): ReadonlyMap<string, SessionClaim> {
    try {
      const entries: unknown = JSON.parse(read(ofTab, OWNERS) ?? '[]')
      if (!Array.isArray(entries)) return new Map()
      return new Map(
        entries.flatMap((entry: unknown) => {
          const [uri, claim] = Array.isArray(entry) ? entry : []
          const parsed = sessionClaimSchema.safeParse(claim)
          return typeof uri === 'string' && parsed.success ? [[uri, parsed.data] as const] : []
        }),
      )
    } catch {
      return new Map()
    }
  },
  save: (map: ReadonlyMap<string, SessionClaim>) => write(ofTab, OWNERS, JSON.stringify([...map])),
}

/** A setting of this browser. */
export function createSetting<Value extends string>(name: string, values: readonly [Value, ...Value[]]) {
  const key = `agent-terminals.${name}`
  return {
    load(): Value {
      const text = read(ofBrowser, key)
      return values.find((value) => value === text) ?? values[0]
    },
    save: (value: Value) => write(ofBrowser, key, value),
  }
}
