/** What a client gets from this agent: with cards and without, with the smallest bound, and from a real shell. */
import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, test } from 'vitest'
import { playComposition } from './play.js'

useBaseline()

const CARDS = { terminal_output: true }

describe.each([
  ['cordis.snapshot.yml', 'prepared'],
  ['cordis.snapshot-64.yml', 'prepared-64'],
  ['cordis.real.yml', 'real'],
])('%s', (file, name) => {
  test.each([
    ['with cards', 'cards', CARDS],
    ['without cards', 'plain', undefined],
  ])('gives a client %s what is recorded', async (_, client, meta) => {
    const { transcript, violations, exitCode, errors } = await playComposition(file, meta)
    expect({ violations, exitCode, errors }).toEqual({ violations: [], exitCode: 0, errors: '' })
    await expect(transcript).toMatchFileSnapshot(`__snapshots__/${name}.${client}.txt`)
  })
})
