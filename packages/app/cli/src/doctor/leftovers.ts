/** Processes of earlier runs that outlived their host. */
import { endLeftovers, findLeftovers, type LeftoverFindings } from '@agent-terminals/subprocess/diagnostics'
import type { Check, ReportedLeftover } from './report.js'

export interface LeftoverWorld {
  readonly find: typeof findLeftovers
  readonly end: typeof endLeftovers
}

export interface LeftoverResult {
  readonly check: Check
  readonly leftovers: readonly ReportedLeftover[]
}

const NAME = 'leftovers'
const MOST_SHOWN = 20
const MAX_COMMAND_CHARS = 100

/** @param isEnding - end what is found. */
export async function examineLeftovers(
  isEnding: boolean,
  { find, end }: LeftoverWorld = { find: findLeftovers, end: endLeftovers },
): Promise<LeftoverResult> {
  const found = await find()
  const { leftovers } = found
  if (!isEnding || leftovers.length === 0) return { check: checkFound(found), leftovers: report(found, new Set()) }
  const survivors = await end(leftovers)
  const left = new Set(survivors.map(({ pid, startTime }) => `${pid} ${startTime}`))
  const ended = new Set(
    leftovers.filter(({ pid, startTime }) => !left.has(`${pid} ${startTime}`)).map(({ pid }) => pid),
  )
  return { check: checkEnded(found, ended, survivors.map(renderLine)), leftovers: report(found, ended) }
}

function report({ leftovers }: LeftoverFindings, ended: ReadonlySet<number>): readonly ReportedLeftover[] {
  return leftovers.map(({ pid, startTime, command }) => ({ pid, startTime, command, ended: ended.has(pid) }))
}

function checkFound({ leftovers, inUse, unjudged }: LeftoverFindings): Check {
  const others = [
    ...(inUse === 0 ? [] : [`${inUse} of hosts that run`]),
    ...(unjudged === 0
      ? []
      : [`${unjudged} of hosts that cannot be seen from here (a container, or an older version)`]),
  ]
  const beside = others.length === 0 ? '' : `; beside them ${others.join(', ')}`
  if (leftovers.length === 0) return { name: NAME, status: 'ok', detail: `none of earlier runs${beside}` }
  return {
    name: NAME,
    status: 'warn',
    detail: `${leftovers.length} of earlier runs${beside}`,
    cost: 'They keep memory, files and ports that nobody uses.',
    advice: 'End them with: agent-terminals doctor --end-leftovers',
    notes: list(leftovers.map(renderLine)),
  }
}

function checkEnded({ leftovers }: LeftoverFindings, ended: ReadonlySet<number>, survivors: readonly string[]): Check {
  const lines = leftovers.filter(({ pid }) => ended.has(pid)).map(renderLine)
  if (survivors.length === 0) {
    return { name: NAME, status: 'ok', detail: `${lines.length} of earlier runs ended`, notes: list(lines) }
  }
  return {
    name: NAME,
    status: 'fail',
    detail: `${lines.length} ended, ${survivors.length} could not be`,
    cost: 'They keep memory, files and ports that nobody uses.',
    advice: 'They run as another user or hang in the kernel: end them as their user, or restart the machine.',
    notes: list(survivors),
  }
}

function list(lines: readonly string[]): string[] {
  if (lines.length <= MOST_SHOWN) return [...lines]
  return [...lines.slice(0, MOST_SHOWN), `and ${lines.length - MOST_SHOWN} more; --json lists all`]
}

/** Command lines are other people's text: nothing of them moves the cursor. */
function renderLine({ pid, command }: { readonly pid: number; readonly command: string }): string {
  const visible = command.replaceAll(/\p{Cc}/gu, '?')
  return `${pid} ${visible.length > MAX_COMMAND_CHARS ? `${visible.slice(0, MAX_COMMAND_CHARS)}…` : visible}`
}
