import { type Evidence, fold, judge, startEvidence } from '../../src/core/index.js'
import type { Timeline } from '../../src/session/trail.js'

/** Judge a recorded timeline again. @returns the verdict as `reason/state`, and how many facts it took. */
export function replay({ policy, facts, verdict }: Timeline): { readonly verdict: string; readonly facts: number } {
  const [start, ...rest] = facts
  if (start?.type !== 'start') throw new Error('a timeline begins with its start')
  let evidence: Evidence = startEvidence(start)
  for (const [index, fact] of rest.entries()) {
    evidence = fold(evidence, fact)
    const isLast = index === rest.length - 1
    const answer = judge(evidence, policy, isLast ? (verdict?.at ?? fact.at) : fact.at)
    if (answer.kind === 'ready') return { verdict: `${answer.reason}/${answer.state}`, facts: index + 2 }
  }
  return { verdict: 'none', facts: facts.length }
}
