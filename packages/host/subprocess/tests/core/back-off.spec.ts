import { expect, it } from 'vitest'
import { nextPauseMs } from '../../src/core/index.js'

it('grows from 1 ms to 50 ms and stays there', () => {
  const pauses: number[] = []
  for (let pauseMs = 0; pauses.length < 9; ) {
    pauseMs = nextPauseMs(pauseMs)
    pauses.push(pauseMs)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 50, 50, 50])
})
