import { describe, expect, it } from 'vitest'
import { readShownCommand } from '../../../src/core/shell/shown-command.js'

describe('readShownCommand', () => {
  it('is what follows the prompt', () => {
    expect(readShownCommand('$ ', ['$ old', 'out', '$ make -j2', ''])).toBe('make -j2')
  })

  it('joins the lines of an unfinished command', () => {
    expect(readShownCommand('$ ', ['$ if true', '> then', '> ls; fi', ''])).toBe('if true\nthen\nls; fi')
  })

  it('knows nothing where the prompt is not shown, or shows nothing', () => {
    expect(readShownCommand('$ ', ['make', ''])).toBeUndefined()
    expect(readShownCommand(' ', [' make', ''])).toBeUndefined()
  })
})
