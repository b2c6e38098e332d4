import { describe, expect, it } from 'vitest'
import { startModes } from '../../src/session/stream.js'

describe('startModes', () => {
  it('tells every mode that evidence starts from, and no title', () => {
    const modes = {
      alternateScreen: true,
      bracketedPaste: false,
      addressing: true,
      keypad: false,
      cursorHidden: true,
    }
    expect(startModes({ modes: { ...modes, title: 'x' } })).toEqual(modes)
  })
})
