import { describe, expect, it } from 'vitest'
import { CHORDS, findCommand, type KeyPress, keysOf, PLAIN_KEYS } from '../../../src/page/core/shortcuts.js'

const press = (change: Partial<KeyPress>): KeyPress => ({
  key: '',
  code: '',
  ctrl: false,
  shift: false,
  alt: false,
  meta: false,
  ...change,
})

describe('chords', () => {
  it('need Ctrl and Shift, so that no key of a program is taken', () => {
    const presses = ['KeyL', 'KeyF', 'KeyC', 'KeyY', 'Enter', 'ArrowUp', 'ArrowDown'].map((code) =>
      press({ code, key: code }),
    )
    for (const each of presses) {
      expect(findCommand(CHORDS, each)).toBeUndefined()
      expect(findCommand(CHORDS, { ...each, ctrl: true })).toBeUndefined()
      expect(findCommand(CHORDS, { ...each, shift: true })).toBeUndefined()
      expect(findCommand(CHORDS, { ...each, ctrl: true, shift: true, alt: true })).toBeUndefined()
      expect(findCommand(CHORDS, { ...each, ctrl: true, shift: true })).toBeDefined()
    }
  })

  it('leave Escape and Tab alone', () => {
    for (const key of ['Escape', 'Tab']) {
      expect(findCommand(CHORDS, press({ key, code: key }))).toBeUndefined()
      expect(findCommand(PLAIN_KEYS, press({ key, code: key }))).toBeUndefined()
    }
  })
})

describe('plain keys', () => {
  it('go by what the layout prints', () => {
    expect(findCommand(PLAIN_KEYS, press({ key: '?', code: 'Minus', shift: true }))).toBe('help')
    expect(findCommand(PLAIN_KEYS, press({ key: 'j', code: 'KeyC' }))).toBe('next-terminal')
    expect(findCommand(PLAIN_KEYS, press({ key: 'n', ctrl: true }))).toBeUndefined()
  })

  it('do one thing each', () => {
    const keys = ['ArrowUp', 'k', 'ArrowDown', 'j', 'Enter', 'n', 'r', 'Delete', '/', '?']
    const commands = keys.map((key) => findCommand(PLAIN_KEYS, press({ key })))
    expect(commands).not.toContain(undefined)
    expect(new Set(commands)).toEqual(new Set(PLAIN_KEYS.map(({ command }) => command)))
  })

  it('are named by those that work everywhere, where there are two', () => {
    expect(keysOf('find')).toBe('Ctrl+Shift+F')
    expect(keysOf('rename')).toBe('r')
  })
})
