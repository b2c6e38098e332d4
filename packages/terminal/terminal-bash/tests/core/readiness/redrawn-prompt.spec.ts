import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Fact } from '../../../src/core/index.js'
import type { Timeline } from '../../../src/session/trail.js'
import { replay } from '../../support/replay.js'

const recorded: Timeline = JSON.parse(
  readFileSync(new URL('../../timelines/resized-before-send.json', import.meta.url), 'utf8'),
)

it('takes a prompt that is drawn again for a new window size for no answer', () => {
  const startOfCommand = recorded.facts.findIndex(
    (fact) => fact.type === 'shell' && fact.event.mark === 'command-start',
  )
  const untilRedrawn = recorded.facts.slice(0, startOfCommand)
  const [start] = recorded.facts
  if (start?.type !== 'start' || !start.before) throw new Error('the recording begins with a look at the waiting shell')
  const at = Math.max(...untilRedrawn.map((fact) => fact.at))
  // The shell has been woken by the change of the window and waits again; of the input it has not seen anything.
  const waits = start.before.waits.map((wait) => ({ ...wait, wakeups: wait.wakeups + 1 }))
  const lookAt = (lookedAt: number): Fact => ({
    type: 'look',
    at: lookedAt,
    look: { ...start.before, waits } as NonNullable<typeof start.before>,
    line: { isEmpty: false, isPrompt: true, isEditorPrompt: true, isKnown: false },
  })
  const facts = [...untilRedrawn, { type: 'written', at } as const, lookAt(at + 1), lookAt(at + 60)]
  expect(untilRedrawn.some((fact) => fact.type === 'shell' && fact.event.mark === 'prompt-end')).toBe(true)
  expect(replay({ policy: recorded.policy, facts, verdict: undefined } as unknown as Timeline).verdict).toBe('none')
})
