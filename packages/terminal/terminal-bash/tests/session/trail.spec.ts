import { useBaseline } from '@agent-terminals/testing'
import { expect, it } from 'vitest'
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
