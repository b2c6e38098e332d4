import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderDirectory, shortenDirectory } from '../../../src/page/core/directory.js'
import { renderDuration, secondsUntil } from '../../../src/page/core/duration.js'
import { splitInput } from '../../../src/page/core/input.js'
import { isMeantAsLink, parseFragment, parseLink } from '../../../src/page/core/link.js'
import { renderOutcome } from '../../../src/page/core/outcome.js'
import { renderRefusal } from '../../../src/page/core/refusal.js'
import { isOpenable, renderTarget } from '../../../src/page/core/target.js'
import { visibleText } from '../../../src/page/core/visible-text.js'

describe('visible text', () => {
  it.each([
    ['a plain title', 'a plain title'],
    ['bell\x07 and escape \x1b[31m', 'bell␇ and escape ␛[31m'],
    ['two\nlines', 'two␊lines'],
    ['\x7f', '␡'],
    ['\x9b', '\ufffd'],
    ['photo\u202egnp.exe', 'photo\ufffdgnp.exe'],
    ['zero\u200bwidth', 'zero\ufffdwidth'],
    ['half \ud83d', 'half \ufffd'],
    ['family 👨\u200d👩\u200d👧 ❤\ufe0f', 'family 👨\u200d👩\u200d👧 ❤\ufe0f'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('of %j is %j', (text, visible) => {
    expect(visibleText(text)).toBe(visible)
  })

  it('is bounded, and says where it was cut', () => {
    expect(visibleText('x'.repeat(1_000_000), 5)).toBe('xxxx…')
    expect(visibleText('👋👋👋👋', 3)).toBe('👋👋…')
    expect(visibleText('12345', 5)).toBe('12345')
  })

  it('never acts, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, max) => {
        const visible = visibleText(text, max)
        expect([...visible].length).toBeLessThanOrEqual(max)
        expect(visible).not.toMatch(/\p{Cc}|\p{Bidi_Control}|\p{Surrogate}/u)
      }),
    )
  })
})

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [1_234, '1.2 s'],
    [9_949, '9.9 s'],
    [9_951, '10 s'],
    [59_499, '59 s'],
    [59_600, '1 min'],
    [125_000, '2 min 5 s'],
    [3_600_000, '1 h'],
    [3_900_000, '1 h 5 min'],
  ])('%d ms are %s', (durationMs, text) => {
    expect(renderDuration(durationMs)).toBe(text)
  })

  it('count down in whole seconds and stop at none', () => {
    expect([5_000, 4_001, 4_000, 1, 0, -500].map((left) => secondsUntil(10_000 + left, 10_000))).toEqual([
      5, 5, 4, 1, 0, 0,
    ])
  })
})

describe('directories', () => {
  it.each([
    ['file:///home/ada/my%20project', '/home/ada/my project'],
    ['file://host/srv', '/srv'],
    ['/plain/path', '/plain/path'],
    ['file:///broken%ZZ', '/broken%ZZ'],
    ['file:///line%0Abreak', '/line␊break'],
  ])('%s is shown as %s', (uri, path) => {
    expect(renderDirectory(uri)).toBe(path)
  })

  it('are shortened to their last two parts', () => {
    expect(['/', '/a', '/a/b', '/a/b/c'].map(shortenDirectory)).toEqual(['/', '/a', '/a/b', '…/b/c'])
  })
})

describe('links of the server', () => {
  const secret = 'Abc-_0123456789abcdefghijklmnopqrstuvwxyz'

  it.each([
    `http://127.0.0.1:7681/#link=${secret}`,
    `  https://[::1]:7681/#link=${secret}\n`,
    `#link=${secret}`,
    `link=${secret}`,
    `#other=1&link=${secret}`,
    secret,
  ])('are read from %j', (text) => {
    expect(parseLink(text)).toBe(secret)
  })

  it.each(['', 'http://127.0.0.1:7681/', '#link=', '#link=short', `#link=${secret}<script>`, 'no secret'])(
    'are not seen in %j',
    (text) => {
      expect(parseLink(text)).toBeUndefined()
    },
  )

  it('are found in fragments only where they are named', () => {
    expect(parseFragment(secret)).toBeUndefined()
  })

  it.each([
    ['#link=nonsense', true],
    ['#other=1&link=', true],
    [`#link=${secret}`, true],
    ['', false],
    ['#', false],
    ['#linked=no', false],
  ])('the fragment %j is meant as one: %j', (fragment, isMeant) => {
    expect(isMeantAsLink(fragment)).toBe(isMeant)
  })
})

describe('targets of links', () => {
  it.each([
    ['https://example.com/a?b=c', true],
    ['HTTP://example.com', true],
    ['javascript:alert(1)', false],
    [' https://example.com', false],
    ['https://example.com/\n', false],
    ['file:///etc/passwd', false],
    ['data:text/html,x', false],
    ['vscode://x', false],
    ['//example.com', false],
  ])('%j is opened: %s', (target, isOpened) => {
    expect(isOpenable(target)).toBe(isOpened)
  })

  it('are shown whole, without what deceives, and with what a click does', () => {
    expect(renderTarget('https://a/\u202eb', 'Ctrl')).toBe('https://a/\ufffdb  ·  Ctrl+click opens it')
    expect(renderTarget('javascript:x', 'Ctrl')).toBe('javascript:x  ·  not opened: only http and https are')
  })
})

describe('outcomes', () => {
  it.each([
    [{ kind: 'running' as const }, 'running'],
    [{ kind: 'finished' as const, exitCode: 0, durationMs: 12 }, 'exit 0, 12 ms'],
    [{ kind: 'finished' as const, exitCode: 3, durationMs: undefined }, 'exit 3'],
    [{ kind: 'finished' as const, exitCode: undefined, durationMs: 5 }, 'ended, 5 ms'],
  ])('%j reads %j', (outcome, text) => {
    expect(renderOutcome(outcome)).toBe(text)
  })
})

describe('refusals', () => {
  it('say what to do next where that is known', () => {
    expect(renderRefusal('take the keyboard', 'claimed by another client')).toContain('hand it back')
    expect(renderRefusal('type', 'some\u202e new reason')).toBe('Could not type. The host says: some\ufffd new reason.')
  })
})

describe('input', () => {
  it('is split without losing or breaking anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 2, max: 9 }), (data, max) => {
        const pieces = splitInput(data, max)
        expect(pieces.join('')).toBe(data)
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(max)
          expect(piece).not.toMatch(/\p{Surrogate}/u)
        }
      }),
    )
  })
})
