import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { createTerminals, type Terminals } from '../src/index.js'
import type { TerminalsOptions } from '../src/options.js'

export interface Bench {
  readonly root: string
  create(options?: TerminalsOptions): Promise<Terminals>
}

/** Unconfined terminals in a directory of their own, disposed of after each test. */
export function useTerminals(): Bench {
  let root = ''
  const open = new Set<Terminals>()
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'embed-')))
  })
  afterEach(async () => {
    for (const each of open) await each.dispose()
    open.clear()
    rmSync(root, { recursive: true, force: true })
  })
  return {
    get root() {
      return root
    },
    async create(options = {}) {
      const terminals = await createTerminals({
        ...options,
        sandboxPolicy: { mode: 'danger-full-access', workspaceRoot: root, ...options.sandboxPolicy },
      })
      open.add(terminals)
      return terminals
    },
  }
}
