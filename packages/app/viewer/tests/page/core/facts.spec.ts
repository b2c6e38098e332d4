import { describe, expect, it } from 'vitest'
import { factsOf, hasFailed } from '../../../src/page/core/facts.js'
import { commandPart, terminalState } from './arbitrary-events.js'

describe('facts of a terminal', () => {
  it('have its newest command', () => {
    const content = [
      commandPart({ commandId: 'c1', isComplete: true, exitCode: 2, durationMs: 7 }),
      commandPart({ commandId: 'c2', commandLine: 'sleep 1\necho' }),
      { type: 'unclassified' as const, value: 'text' },
    ]
    expect(factsOf(terminalState({ content })).command).toEqual({
      commandId: 'c2',
      line: 'sleep 1␊echo',
      startedAt: 1_000,
      outcome: { kind: 'running' },
    })
    expect(factsOf(terminalState({ content: content.slice(0, 1) })).command?.outcome).toEqual({
      kind: 'finished',
      exitCode: 2,
      durationMs: 7,
    })
  })

  it('lack what is not known', () => {
    expect(factsOf(terminalState())).toMatchObject({ cwd: undefined, size: undefined, command: undefined })
    expect(factsOf(terminalState({ cols: 80 })).size).toBeUndefined()
  })

  it('call a command failed only when its code says so', () => {
    expect(hasFailed({ kind: 'running' })).toBe(false)
    expect(hasFailed({ kind: 'finished', exitCode: undefined, durationMs: 1 })).toBe(false)
    expect(hasFailed({ kind: 'finished', exitCode: 0, durationMs: 1 })).toBe(false)
    expect(hasFailed({ kind: 'finished', exitCode: 1, durationMs: 1 })).toBe(true)
  })
})
