import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Timeline } from '../../../src/session/trail.js'
import { replay } from '../../support/replay.js'

const DIRECTORY = fileURLToPath(new URL('../../timelines/', import.meta.url))

/** Recorded from real sends with `debug: true`. A surprising verdict becomes one more file here. */
describe('a recorded timeline', () => {
  it.each(readdirSync(DIRECTORY))('%s leads to its verdict, with its last fact', (file) => {
    const timeline: Timeline = JSON.parse(readFileSync(`${DIRECTORY}${file}`, 'utf8'))
    const { verdict } = timeline
    expect(replay(timeline)).toEqual({ verdict: `${verdict?.reason}/${verdict?.state}`, facts: timeline.facts.length })
  })
})
