import type { SubprocessTerminal } from '@agent-terminals/subprocess/contract'
import { describe, expect, it } from 'vitest'
import { InputWriter } from '../../src/session/input-writer.js'

/** Of a program that reads nothing: every write waits until it is dropped. */
const stuck = {
  pendingInputBytes: 0,
  ttyPath: '/dev/null',
  write: (_data: string, signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    }),
} as unknown as SubprocessTerminal

describe('input that waits', () => {
  it('is dropped, however many writes it came in, and none of them is taken for a leak', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => void warnings.push(warning)
    process.on('warning', note)
    try {
      const writer = new InputWriter(stuck)
      for (let round = 0; round < 2; round++) {
        const writes = Array.from({ length: 30 }, () => writer.write('x'))
        writer.drop()
        await expect(Promise.all(writes)).resolves.toHaveLength(30)
      }
      // Warnings are told in a later turn.
      await new Promise((resolve) => setImmediate(resolve))
      expect(warnings).toEqual([])
    } finally {
      process.off('warning', note)
    }
  })
})
