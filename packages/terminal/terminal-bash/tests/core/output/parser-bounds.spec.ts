import { expect, it } from 'vitest'
import { createTerminalOutput } from '../../../src/core/output/output.js'
import { encoder, OPTIONS, startSeen } from './harness.js'

function show(text: string): string {
  const output = createTerminalOutput(OPTIONS)
  output.feed(encoder.encode(text), startSeen().sink)
  return output.page({ lines: 10 }).text
}

it.each([
  ['more parameters than a sequence can have', `\x1b[${'3;'.repeat(40)}3Kb`],
  ['a parameter larger than any', '\x1b[99999999999999999999Cb'],
  ['more intermediate bytes than a sequence can have', `\x1b[${' '.repeat(20)}pb`],
])('%s harms nothing that follows', (_, text) => {
  expect(show(`a${text}c\r\nnext`)).toMatch(/^a *bc\nnext$/)
})

it('a character that ESC cuts short is replaced, and the sequence is read', () => {
  expect(show('a\x1b[0mb').replaceAll('\ufffd', '?')).toBe('ab')
  const output = createTerminalOutput(OPTIONS)
  output.feed(Uint8Array.from([0x61, 0xe6, 0xbc, 0x1b, 0x5b, 0x30, 0x6d, 0x62]), startSeen().sink)
  expect(output.page({ lines: 10 }).text).toBe('a\ufffdb')
})
