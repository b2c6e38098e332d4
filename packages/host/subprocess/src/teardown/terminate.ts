import type { TerminationReport } from '../contract.js'
import { listAncestry } from '../inspector/tree.js'
import { type Clock, systemClock } from './clock.js'
import { SessionLook } from './session-look.js'
import type { ProcessRow, SessionTable } from './session-table.js'
import { startTeardown } from './state.js'
import { type Plan, step } from './step.js'
import { TreeSurvivedError } from './survived.js'
import { resolveSystemTable } from './system-table.js'
import type { Termination, TerminationOptions } from './termination.js'

/**
 * End one session's process tree: hang-up, terminate, kill, children first, then the top-level process, then proof.
 * Resolves when no live member remains.
 * @param options.graceMs - time between terminate and kill for programs that do not leave.
 * @throws TreeSurvivedError naming what could not be ended.
 */
export function terminateTree(options: TerminationOptions & { readonly graceMs: number }): Promise<TerminationReport> {
  return createTermination(options).terminate(options)
}

/** The termination of one session, for a handle to keep. */
export function createTermination(options: TerminationOptions): Termination {
  const clock = options.clock ?? systemClock
  const table = options.table ?? resolveSystemTable()
  const session = new SessionLook(table, options.root, options.tag, clock)
  let noting = Promise.resolve()
  let running: Promise<TerminationReport> | undefined
  return {
    noteRootEnd() {
      // An attempt under way has seen the root before and sees its end.
      if (running !== undefined) return noting
      // Without the note a later termination still finds what carries the tag.
      noting = session.noteRootEnd().catch(() => {})
      return noting
    },
    async listMembers(beside) {
      await noting
      const { members } = await session.take('machine')
      const hidden = new Set(beside === undefined ? [] : listAncestry(members, beside))
      const isShown = ({ pid }: ProcessRow) => pid !== beside && !hidden.has(pid)
      return members
        .filter(isShown)
        .map(({ pid, startTime, command }) => ({ pid, startTime, command }))
        .reverse()
    },
    terminate({ graceMs }) {
      running ??= noting
        .then(() => attempt(session, table, clock, graceMs))
        .finally(() => {
          running = undefined
        })
      return running
    },
  }
}

async function attempt(
  session: SessionLook,
  table: SessionTable,
  clock: Clock,
  graceMs: number,
): Promise<TerminationReport> {
  let state = startTeardown(graceMs, clock.nowMs())
  let plan: Plan = { orders: [], lookAfterMs: 0, scope: 'machine' }
  for (;;) {
    const look = await session.take(plan.scope)
    ;({ state, plan } = step(state, look, clock.nowMs()))
    const { phase, seen, forced } = state
    if (phase.kind === 'verified') return { ended: seen.size, forced }
    if (phase.kind === 'failed') throw new TreeSurvivedError(phase.survivors)
    for (const { identity, signals } of plan.orders) {
      for (const signal of signals) await table.signal(identity, signal)
    }
    if (plan.lookAfterMs > 0) await clock.sleep(plan.lookAfterMs)
  }
}
