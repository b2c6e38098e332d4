import type { ForegroundInspection, ForegroundMember } from '@agent-terminals/subprocess/contract'
import type { Look } from '../core/index.js'

/** Reduce an inspection to what readiness weighs. */
export function toLook(inspection: ForegroundInspection): Look {
  const members = inspection.members.filter((member) => member.state !== 'zombie')
  const has = (state: ForegroundMember['state']) => members.some((member) => member.state === state)
  return {
    pgid: inspection.pgid,
    isShell: inspection.isTopLevel,
    waits: inspection.waits,
    waitsKnown: inspection.waitsKnown,
    ...(inspection.outputRead ? { outputRead: true } : {}),
    pids: members.map((member) => member.identity.pid).sort((one, other) => one - other),
    cpuMs: members.reduce((sum, member) => sum + member.cpuMs, 0),
    uninterruptible: has('uninterruptible'),
    ...(has('running') ? { runnable: true } : {}),
    timedSleep: members.some((member) => member.timedSleep === true),
    stopped: has('stopped'),
  }
}

export function findLeader(inspection: ForegroundInspection): ForegroundMember | undefined {
  return inspection.members.find((member) => member.identity.pid === inspection.pgid)
}

/** The program a person would name: the one that waits for the terminal, else the group's leader. */
export function findProgram(inspection: ForegroundInspection): string | undefined {
  const waiting = inspection.waits[0]?.pid
  const member = inspection.members.find((each) => each.identity.pid === waiting) ?? findLeader(inspection)
  return (member ?? inspection.members[0])?.command
}
