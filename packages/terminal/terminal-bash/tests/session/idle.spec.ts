import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { expect, it } from 'vitest'
import { Counter, sendTo, startBackendHarness } from '../support/backend.js'

useBaseline()

it('sets no timer and looks at nothing while no send is active', async () => {
  const harness = await startBackendHarness()
  const counter = new Counter()
  const session = await harness.open({ counter })
  expect(counter.timers).toBe(0)

  await sendTo(session, '(while ! [[ -e /dev/null/x ]]; do sleep 0.05; echo tick; done) &')
  expect(counter.timers).toBe(0)
  const looks = counter.looks
  const heard = () => harness.events.filter((event) => event.type === 'data').length
  const before = heard()
  await waitUntil('the background job has printed several times', () => heard() > before + 5)
  expect(counter.looks).toBe(looks)
  expect(counter.timers).toBe(0)

  await session.close()
  await harness.close()
})

it('looks seldom at a program that works in silence', async () => {
  const harness = await startBackendHarness()
  const counter = new Counter()
  const session = await harness.open({ counter, config: { pollIntervalMs: 100, handoffGraceMs: 100 } })
  const before = counter.looks
  await sendTo(session, 'sleep 2')
  expect(counter.looks - before).toBeLessThan(45)
  await session.close()
  await harness.close()
})
