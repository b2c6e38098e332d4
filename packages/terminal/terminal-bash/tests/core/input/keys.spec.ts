import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeKey, KEY_NAMES, planKeys } from '../../../src/core/input/keys.js'

const PLAIN = { applicationCursor: false, bracketedPaste: false }
const APPLICATION = { applicationCursor: true, bracketedPaste: true }

describe('a key', () => {
  it.each([
    ['enter', '\r'],
    ['Return', '\r'],
    ['esc', '\x1b'],
    ['tab', '\t'],
    ['shift+tab', '\x1b[Z'],
    ['space', ' '],
    ['ctrl+space', '\0'],
    ['backspace', '\x7f'],
    ['alt+backspace', '\x1b\x7f'],
    ['ctrl+backspace', '\x08'],
    ['ctrl+alt+backspace', '\x1b\x08'],
    ['shift+enter', '\r'],
    ['shift+x', 'X'],
    ['shift+f1', '\x1b[1;2P'],
    ['delete', '\x1b[3~'],
    ['pageup', '\x1b[5~'],
    ['up', '\x1b[A'],
    ['ctrl+left', '\x1b[1;5D'],
    ['shift+alt+end', '\x1b[1;4F'],
    ['f1', '\x1bOP'],
    ['f12', '\x1b[24~'],
    ['shift+f5', '\x1b[15;2~'],
    ['ctrl+c', '\x03'],
    ['ctrl+C', '\x03'],
    ['ctrl+[', '\x1b'],
    ['ctrl+_', '\x1f'],
    ['alt+x', '\x1bx'],
    ['alt+X', '\x1bX'],
    ['ctrl+alt+a', '\x1b\x01'],
    ['ctrl+?', '\x7f'],
    ['j', 'j'],
    ['+', '+'],
    ['alt++', '\x1b+'],
    ['漢', '漢'],
  ])('%s sends %j', (key, bytes) => {
    expect(encodeKey(key, PLAIN)).toBe(bytes)
  })

  it.each([
    ['up', '\x1bOA'],
    ['home', '\x1bOH'],
    ['ctrl+up', '\x1b[1;5A'],
    ['delete', '\x1b[3~'],
  ])('%s sends %j once the program has set application cursor keys', (key, bytes) => {
    expect(encodeKey(key, APPLICATION)).toBe(bytes)
  })

  it.each([
    '',
    'enterr',
    'C-x',
    '^X',
    'ctrl+',
    'ctrl+ctrl+a',
    'hyper+a',
    'ctrl+\x01',
    'ctrl+1',
    '\x1b',
    'f13',
    'ctrl+enter',
  ])('%j is unknown', (key) => {
    expect(encodeKey(key, PLAIN)).toBeUndefined()
  })
})

describe('a plan', () => {
  it('keeps keys and text in order, and an Escape by itself', () => {
    expect(planKeys(['i', { text: 'hello' }, 'esc', { text: ':wq' }, 'enter'], PLAIN)).toEqual({
      kind: 'write',
      chunks: ['ihello', '\x1b', ':wq\r'],
    })
  })

  it('brackets a paste only for a program that asked for it, and lets nothing end it early', () => {
    const paste = [{ paste: 'a\nb\x1b[201~c' }]
    expect(planKeys(paste, APPLICATION)).toEqual({ kind: 'write', chunks: ['\x1b[200~a\rb[201~c\x1b[201~'] })
    expect(planKeys([{ paste: 'a\r\nb' }], PLAIN)).toEqual({ kind: 'write', chunks: ['a\rb'] })
  })

  it('refuses everything when one key is unknown, and lists the known ones', () => {
    const plan = planKeys(['enter', 'hyper'], PLAIN)
    expect(plan).toMatchObject({ kind: 'unknown', key: 'hyper' })
    for (const name of KEY_NAMES) expect(plan).toMatchObject({ message: expect.stringContaining(name) })
  })

  it('types text untouched', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        expect(planKeys([{ text }], PLAIN)).toEqual({ kind: 'write', chunks: [text] })
      }),
    )
  })
})
