import type { ProcessIdentity, Survivor } from '../contract.js'
import { identityKey } from './membership.js'
import type { ProcessRow, TeardownSignal } from './session-table.js'
import type { Phase, TeardownState } from './state.js'

/** What the driver saw. A look at the tree is cheap and can miss what left it; a look at the machine cannot. */
export interface Look {
  readonly scope: 'tree' | 'machine'
  /** Live members beside the root, children before their parents. */
  readonly members: readonly ProcessRow[]
  /** The root, unless it has ended. */
  readonly root: ProcessRow | undefined
  /** False when processes ended during the look whose children may be ours. */
  readonly isConclusive: boolean
}

export interface Order {
  readonly identity: ProcessIdentity
  readonly signals: readonly TeardownSignal[]
}

/** What the driver is to do next: signal in this order, then wait, then look. */
export interface Plan {
  readonly orders: readonly Order[]
  readonly lookAfterMs: number
  readonly scope: Look['scope']
}

/** Time that a hang-up gets before SIGTERM follows. Short, because `nohup` and daemons ignore it. */
export const HANG_UP_MS = 30
/** A shell that has not taken its hang-up by then is asked in other ways. */
export const SHELL_HANG_UP_MS = 40
/** Least time between the first hang-up of the shell and its kill, however much of the grace its children used. */
const SHELL_GRACE_MS = 150
/** Time in which the kernel has to remove a killed process. */
export const KILL_MS = 1000
const FREEZE_ROUNDS = 20
const MAX_RETURNS = 4
const MAX_INCONCLUSIVE_LOOKS = 5
/** Looks after which a signal is repeated: a bash hung up within microseconds of its prompt can miss it. */
const REPEATS: ReadonlySet<number> = new Set([2, 4])

const HANG_UP: readonly TeardownSignal[] = ['SIGHUP', 'SIGCONT']
const TERMINATE: readonly TeardownSignal[] = ['SIGHUP', 'SIGTERM', 'SIGCONT']
const STOP: readonly TeardownSignal[] = ['SIGSTOP']
const KILL: readonly TeardownSignal[] = ['SIGKILL']

type Step = { readonly state: TeardownState; readonly plan: Plan }

/** One step of a termination: what is seen decides what is told to whom, and when to look again. */
export function step(state: TeardownState, look: Look, nowMs: number): Step {
  const next = recordLook(state, look)
  switch (next.phase.kind) {
    case 'hanging-up':
    case 'terminating':
      return look.members.length === 0 ? proceed(next, look, nowMs) : stepAsking(next, next.phase, look, nowMs)
    case 'freezing':
      return stepFreezing(next, next.phase, look, nowMs)
    case 'killing':
      return look.members.length === 0 ? proceed(next, look, nowMs) : stepKilling(next, next.phase, look, nowMs)
    case 'stopping-shell':
      return look.root === undefined ? proceed(next, look, nowMs) : stepShell(next, next.phase, look, look.root, nowMs)
    default:
      return { state: next, plan: rest() }
  }
}

function recordLook(state: TeardownState, look: Look): TeardownState {
  const isNew = (member: ProcessRow) => !state.seen.has(identityKey(member))
  const hasLooked = state.phase.kind !== 'verified' && state.phase.kind !== 'failed' && state.phase.looks > 0
  const regrew = hasLooked && look.members.some((member) => isNew(member) && member.parentPid === look.root?.pid)
  const isMissing = look.scope === 'machine' && !look.isConclusive
  return {
    ...state,
    seen: addKeys(state.seen, look.members),
    regrowths: state.regrowths + (regrew ? 1 : 0),
    inconclusiveLooks: look.scope === 'tree' ? state.inconclusiveLooks : isMissing ? state.inconclusiveLooks + 1 : 0,
  }
}

/** Nothing but perhaps the shell is left: prove it, go on to the shell, or be done. */
function proceed(state: TeardownState, look: Look, nowMs: number): Step {
  if (look.scope === 'tree') return { state, plan: lookAt('machine', 0) }
  if (look.root !== undefined) {
    const phase: Phase = { kind: 'stopping-shell', sinceMs: nowMs, looks: 1, rung: 'hang-up' }
    return { state: { ...state, phase, told: new Set() }, plan: tell([look.root], HANG_UP, 1) }
  }
  if (look.members.length > 0) return startOver(state, look, nowMs)
  if (!look.isConclusive && state.inconclusiveLooks < MAX_INCONCLUSIVE_LOOKS) {
    return { state, plan: lookAt('machine', 1) }
  }
  return { state: { ...state, phase: { kind: 'verified' } }, plan: rest() }
}

/** The shell has gone and left something behind, or something has turned up that had left the tree. */
function startOver(state: TeardownState, look: Look, nowMs: number): Step {
  if (state.returns >= MAX_RETURNS) return fail(state, look)
  const phase = { kind: 'hanging-up', sinceMs: nowMs, looks: 0 } as const
  return stepAsking({ ...state, phase, told: new Set(), returns: state.returns + 1 }, phase, look, nowMs)
}

function stepAsking(
  state: TeardownState,
  phase: Extract<Phase, { kind: 'hanging-up' | 'terminating' }>,
  look: Look,
  nowMs: number,
): Step {
  const elapsedMs = nowMs - phase.sinceMs
  if (phase.kind === 'hanging-up' && elapsedMs >= HANG_UP_MS) {
    const terminating: Phase = { kind: 'terminating', sinceMs: nowMs, looks: 1 }
    const told = addKeys(new Set(), look.members)
    return {
      state: { ...state, phase: terminating, told },
      plan: tell(withLoopingShell(state, look), TERMINATE, 1),
    }
  }
  if (phase.kind === 'terminating' && elapsedMs >= state.graceMs) return startFreezing(state, look, nowMs)
  const isRepeat = phase.kind === 'hanging-up' && REPEATS.has(phase.looks)
  const untold = look.members.filter((member) => isRepeat || !state.told.has(identityKey(member)))
  // The shell is told along with what it keeps starting, else the loop would go on until the kill.
  const addressed = untold.length > 0 ? withLoopingShell(state, { ...look, members: untold }) : untold
  const remainingMs = (phase.kind === 'hanging-up' ? HANG_UP_MS : state.graceMs) - elapsedMs
  return {
    state: { ...state, phase: { ...phase, looks: phase.looks + 1 }, told: addKeys(state.told, untold) },
    plan: tell(
      addressed,
      phase.kind === 'hanging-up' ? HANG_UP : TERMINATE,
      Math.max(1, Math.min(backOffMs(phase.looks), remainingMs)),
    ),
  }
}

function startFreezing(state: TeardownState, look: Look, nowMs: number): Step {
  const phase: Phase = { kind: 'freezing', sinceMs: nowMs, looks: 1 }
  const frozen = withLoopingShell(state, look)
  return {
    state: { ...state, phase, told: addKeys(new Set(), frozen) },
    plan: { ...tell(frozen, STOP, 0), scope: 'machine' },
  }
}

function stepFreezing(
  state: TeardownState,
  phase: Extract<Phase, { kind: 'freezing' }>,
  look: Look,
  nowMs: number,
): Step {
  const targets = withLoopingShell(state, look)
  const untold = targets.filter((member) => !state.told.has(identityKey(member)))
  if (untold.length > 0 && phase.looks < FREEZE_ROUNDS) {
    return {
      state: { ...state, phase: { ...phase, looks: phase.looks + 1 }, told: addKeys(state.told, untold) },
      plan: { ...tell(untold, STOP, 0), scope: 'machine' },
    }
  }
  const killing: Phase = { kind: 'killing', sinceMs: nowMs, looks: 1 }
  return { state: { ...state, phase: killing, told: new Set(), forced: true }, plan: tell(targets, KILL, 1) }
}

function stepKilling(
  state: TeardownState,
  phase: Extract<Phase, { kind: 'killing' }>,
  look: Look,
  nowMs: number,
): Step {
  if (nowMs - phase.sinceMs >= KILL_MS) return fail(state, look)
  return {
    state: { ...state, phase: { ...phase, looks: phase.looks + 1 } },
    plan: tell(withLoopingShell(state, look), KILL, backOffMs(phase.looks)),
  }
}

function stepShell(
  state: TeardownState,
  phase: Extract<Phase, { kind: 'stopping-shell' }>,
  look: Look,
  root: ProcessRow,
  nowMs: number,
): Step {
  const elapsedMs = nowMs - phase.sinceMs
  const climb = (
    rung: 'terminate' | 'kill',
    told: readonly ProcessRow[],
    signals: readonly TeardownSignal[],
  ): Step => ({
    state: { ...state, phase: { ...phase, rung, looks: 1 }, forced: state.forced || rung === 'kill' },
    plan: tell(told, signals, 1),
  })
  const everything = [...look.members, root]
  switch (phase.rung) {
    case 'hang-up':
      if (elapsedMs >= SHELL_HANG_UP_MS) return climb('terminate', [root], TERMINATE)
      break
    case 'terminate':
      if (elapsedMs >= Math.max(state.graceMs, SHELL_GRACE_MS)) return climb('kill', everything, KILL)
      break
    case 'kill':
      if (elapsedMs >= Math.max(state.graceMs, SHELL_GRACE_MS) + KILL_MS) return fail(state, look)
      break
  }
  const repeated = phase.rung === 'kill' ? everything : REPEATS.has(phase.looks) ? [root] : []
  return {
    state: { ...state, phase: { ...phase, looks: phase.looks + 1 } },
    plan: tell(repeated, phase.rung === 'kill' ? KILL : HANG_UP, backOffMs(phase.looks)),
  }
}

/** The members, and after them the shell when it keeps starting new ones. */
function withLoopingShell(state: TeardownState, look: Pick<Look, 'members' | 'root'>): readonly ProcessRow[] {
  return look.root !== undefined && state.regrowths >= 2 ? [...look.members, look.root] : look.members
}

function fail(state: TeardownState, look: Look): Step {
  const survivors = [...look.members, ...(look.root === undefined ? [] : [look.root])].map(
    ({ pid, startTime, command }): Survivor => ({ pid, startTime, command }),
  )
  return { state: { ...state, phase: { kind: 'failed', survivors } }, plan: rest() }
}

/** 1, 2, 4, 8, 16 ms and then every 25 ms: most programs leave within a millisecond. */
export function backOffMs(looks: number): number {
  return Math.min(25, 2 ** Math.max(0, looks))
}

function tell(rows: readonly ProcessRow[], signals: readonly TeardownSignal[], lookAfterMs: number): Plan {
  return {
    orders: rows.map(({ pid, startTime }) => ({ identity: { pid, startTime }, signals })),
    lookAfterMs,
    scope: 'tree',
  }
}

function lookAt(scope: Look['scope'], lookAfterMs: number): Plan {
  return { orders: [], lookAfterMs, scope }
}

function rest(): Plan {
  return lookAt('tree', 0)
}

function addKeys(keys: ReadonlySet<string>, rows: readonly ProcessIdentity[]): ReadonlySet<string> {
  if (rows.every((row) => keys.has(identityKey(row)))) return keys
  return new Set([...keys, ...rows.map(identityKey)])
}
