import { useBaseline } from '@agent-terminals/testing'
import { expect, it } from 'vitest'
import { startEvidence } from '../../src/core/index.js'
import type { StartFact } from '../../src/core/readiness/facts.js'
import type { ReadinessPolicy } from '../../src/core/readiness/policy.js'
import { Trail } from '../../src/session/trail.js'
import { sendTo, startBackendHarness } from '../support/backend.js'
import { replay } from '../support/replay.js'

useBaseline()

it('records live sends so that they replay to the same verdict', async () => {
  const harness = await startBackendHarness()
  const session = await harness.open({ isDebug: true, config: { idleSilenceMs: 400, handoffGraceMs: 50 } })
  for (const text of ['true', 'sleep 0.2; echo x', 'python3 -q', 'print(1)', 'exit()', 'cat', 'hi']) {
    await sendTo(session, text)
    const timeline = harness.timelines.at(-1)
    expect(timeline?.verdict).toBeDefined()
    if (!timeline) continue
    const { verdict } = timeline
    expect(replay(JSON.parse(JSON.stringify(timeline)))).toEqual({
      verdict: `${verdict?.reason}/${verdict?.state}`,
      facts: timeline.facts.length,
    })
  }
  await session.close()
  await harness.close()
})

it('keeps so many facts of a flood and counts the others', () => {
  const start: StartFact = {
    type: 'start',
    at: 100,
    input: 'line',
    phase: 'running',
    alternateScreen: false,
    bracketedPaste: false,
    addressing: false,
    keypad: false,
  }
  const trail = new Trail({} as ReadinessPolicy)
  trail.add(start)
  for (let at = 101; at < 5_101; at += 1) trail.add({ type: 'written', at })
  const lines = trail.render(undefined, startEvidence(start), 5_200).split('\n')
  expect(lines).toHaveLength(4_002)
  expect(lines.at(-2)).toContain('… 1001 more facts')
  expect(lines.at(-1)).toBe('   5100.0 ms  ended without a verdict')
  expect(trail.timeline().facts).toHaveLength(4_000)
})
