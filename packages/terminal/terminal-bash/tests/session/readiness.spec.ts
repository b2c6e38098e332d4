import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ShellHost, startShellHost } from '../support/shell-host.js'
import { SITUATIONS, type Situation } from '../support/situations.js'

useBaseline()

/**
 * Without kernel evidence only silence speaks for a program, and it must outlast what programs take to start on a machine that does
 * other things as well: the default.
 */
const SUITES = [
  { evidence: 'kernel evidence', config: { idleSilenceMs: 1_000 }, wanted: (each: Situation) => each.verdict },
  {
    evidence: 'prompt marks and silence alone',
    config: { inspector: 'off' },
    wanted: (each: Situation) => each.without ?? each.verdict,
  },
] as const

describe.each(SUITES)('readiness by $evidence', ({ config, wanted }) => {
  let host: ShellHost
  beforeAll(async () => {
    host = await startShellHost(config)
  })
  afterAll(() => host.close())

  it.each(SITUATIONS)('judges $name', async (situation) => {
    const terminal = await host.open()
    try {
      for (const step of situation.before ?? []) {
        await (typeof step === 'string' ? terminal.outcome(step) : terminal.outcome('', step))
      }
      const { send } = situation
      const result = await (typeof send === 'string' ? terminal.send(send) : terminal.send('', send))
      expect(`${result.waitReason}/${result.state}`).toBe(wanted(situation))
      if (situation.text !== undefined) expect(result.viewport.text).toBe(situation.text)
      if (situation.shows !== undefined) expect(result.viewport.text).toContain(situation.shows)
      if (situation.exitCode !== undefined) expect(result.exitCode).toBe(situation.exitCode)
    } finally {
      await terminal.close()
    }
  })
})
