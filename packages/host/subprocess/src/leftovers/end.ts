import { randomBytes } from 'node:crypto'
import type { Survivor } from '../contract.js'
import { TreeSurvivedError, terminateTree } from '../teardown/index.js'
import type { Leftover } from './find.js'

/** Time between terminate and kill. */
const GRACE_MS = 1000

export interface EndLeftoversOptions {
  /** Default: `terminateTree` on this machine. */
  readonly terminate?: typeof terminateTree
}

/**
 * End leftovers with everything below them and everything else of their terminals: hang-up, terminate, kill, by exact identity
 * (pid and start time, compared again before every signal), and proof.
 * @returns what could not be ended.
 */
export async function endLeftovers(
  leftovers: readonly Leftover[],
  { terminate = terminateTree }: EndLeftoversOptions = {},
): Promise<readonly Survivor[]> {
  const attempts = groupByTerminal(leftovers).map(({ root, tag }) => terminate({ root, tag, graceMs: GRACE_MS }))
  const survivors: Survivor[] = []
  for (const attempt of await Promise.allSettled(attempts)) {
    if (attempt.status === 'fulfilled') continue
    if (!(attempt.reason instanceof TreeSurvivedError)) throw attempt.reason
    survivors.push(...attempt.reason.survivors)
  }
  return survivors
}

/** One termination per terminal, from its oldest process: what is older than the root of a termination is never touched. */
function groupByTerminal(leftovers: readonly Leftover[]): readonly { readonly root: Leftover; readonly tag: string }[] {
  const roots = new Map<string, Leftover>()
  for (const leftover of leftovers) {
    // Without a tag the process stands for itself, under one that nothing carries.
    const tag = leftover.sessionTag ?? randomBytes(16).toString('hex')
    const root = roots.get(tag)
    if (root === undefined || Number(leftover.startTime) < Number(root.startTime)) roots.set(tag, leftover)
  }
  return [...roots].map(([tag, root]) => ({ root, tag }))
}
