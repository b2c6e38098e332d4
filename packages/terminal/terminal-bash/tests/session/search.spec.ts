import { ManualClock } from '@agent-terminals/testing'
import { expect, it } from 'vitest'
import { createTerminalOutput } from '../../src/core/index.js'
import { searchLines } from '../../src/session/search.js'

const SINK = { raw: () => {}, mark: () => {}, title: () => {}, mode: () => {}, query: () => {} }

function startOutput(lines: number) {
  const output = createTerminalOutput({
    nonce: 'n',
    columns: 80,
    rows: 24,
    scrollbackLines: 10_000,
    scrollbackMaxBytes: 1_000_000,
    maxReadBytes: 100_000,
  })
  for (let line = 1; line <= lines; line++) output.feed(new TextEncoder().encode(`line ${line}\r\n`), SINK)
  return output
}

it('a search that takes too long says where to go on', async () => {
  const clock = new ManualClock()
  const now = () => {
    clock.advance(1_500)
    return clock.now()
  }
  const slow = { now, schedule: () => () => {} }
  const first = await searchLines(startOutput(1_200), slow, { pattern: 'nothing' })
  expect(first).toEqual({ matches: [], firstLine: 1, nextLine: 1_001, stopped: 'time' })
})

it('a search from behind the newest line finds nothing and goes on there', async () => {
  const clock = { now: () => 0, schedule: () => () => {} }
  expect(await searchLines(startOutput(3), clock, { pattern: 'line', since: 9 })).toMatchObject({
    matches: [],
    nextLine: 4,
  })
})
