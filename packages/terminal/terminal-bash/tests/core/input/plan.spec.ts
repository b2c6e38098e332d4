import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type InputRequest, planInput } from '../../../src/core/input/plan.js'

const request = (overrides: Partial<InputRequest>): InputRequest => ({
  text: '',
  submit: true,
  target: 'prompt',
  bracketedPaste: true,
  maxCanonicalBytes: 4096,
  ...overrides,
})

function written(overrides: Partial<InputRequest>): string {
  const plan = planInput(request(overrides))
  if (plan.kind === 'refused') throw new Error(plan.message)
  return plan.chunks.join('')
}

describe('planInput', () => {
  it.each<[string, Partial<InputRequest>, string]>([
    ['Enter alone for an empty text', { text: '' }, '\r'],
    ['nothing for an empty text without Enter', { text: '', submit: false }, ''],
    ['a plain line as it is', { text: `echo "wow!bar" 'x'; é😀;` }, `echo "wow!bar" 'x'; é😀;\r`],
    ['several lines as one paste', { text: 'a\nb' }, '\x1b[200~a\nb\x1b[201~\r'],
    ['a tab as a paste', { text: 'a\tb' }, '\x1b[200~a\tb\x1b[201~\r'],
    [
      'an embedded end of paste as a quoted key between two pastes',
      { text: 'a\x1b[201~\nb' },
      '\x1b[200~a\x1b[201~\x16\x1b\x1b[200~[201~\nb\x1b[201~\r',
    ],
    ['a lone carriage return in a paste', { text: 'a\rb' }, '\x1b[200~a\rb\x1b[201~\r'],
    [
      'the carriage return of a CRLF as a quoted key',
      { text: 'a\r\nb' },
      '\x1b[200~a\x1b[201~\x16\r\x1b[200~\nb\x1b[201~\r',
    ],
    ['quoted keys where paste is off', { text: 'a\tb\nc\x1b', bracketedPaste: false }, 'a\x16\tb\x16\nc\x16\x1b\r'],
    ['keys untouched', { text: '\x03\t\x1b[A\n', submit: false }, '\x03\t\x1b[A\n'],
    ['text with keys of the kernel as keys', { text: 'a\tb\x03' }, 'a\tb\x03\r'],
    ['text for a canonical reader as it is', { text: 'a\tb\nc', target: 'canonical' }, 'a\tb\nc\r'],
    ['a line for a raw reader as it is', { text: '-a;$\\', target: 'raw' }, '-a;$\\\r'],
    [
      'lines for a raw reader without paste as they are',
      { text: 'a\nb', target: 'raw', bracketedPaste: false },
      'a\nb\r',
    ],
    ['lines for a raw reader with paste as lines', { text: 'a\nb', target: 'raw' }, 'a\nb\r'],
    ['indented lines for it as a paste', { text: 'if a:\n  b', target: 'raw' }, '\x1b[200~if a:\n  b\x1b[201~\r'],
    ['a tab for it as a paste', { text: 'a\tb', target: 'raw' }, '\x1b[200~a\tb\x1b[201~\r'],
    ['a harmless paste for a program', { text: 'a\x1b\x1b[201~\n b', target: 'raw' }, '\x1b[200~a[201~\n b\x1b[201~\r'],
    ['keys for a program that draws the screen', { text: 'ia\nb', target: 'screen' }, 'ia\nb\r'],
  ])('writes %s', (_what, overrides, bytes) => {
    expect(written(overrides)).toBe(bytes)
  })

  it.each<[string, Partial<InputRequest>, number, number]>([
    ['a line of more bytes than fit', { text: 'x'.repeat(4096) }, 1, 4097],
    ['a later line', { text: `a\n${'x'.repeat(5000)}\nb` }, 2, 5001],
    ['a line of wide characters, counted in bytes', { text: '漢'.repeat(1366) }, 1, 4099],
    ['a line without its Enter', { text: 'x'.repeat(4096), submit: false }, 1, 4097],
    ['a line too long for macOS', { text: 'x'.repeat(1024), maxCanonicalBytes: 1024 }, 1, 1025],
  ])('refuses %s for a canonical reader', (_what, overrides, lineNumber, lineBytes) => {
    const plan = planInput(request({ target: 'canonical', ...overrides }))
    expect(plan).toMatchObject({ kind: 'refused', code: 'INPUT_TOO_LONG', lineNumber, lineBytes })
  })

  it.each<[string, Partial<InputRequest>]>([
    ['the longest line a canonical reader can take', { text: 'x'.repeat(4095), target: 'canonical' }],
    ['many lines for a canonical reader', { text: 'x\n'.repeat(10_000), target: 'canonical' }],
    ['a long line at the prompt', { text: 'x'.repeat(100_000) }],
    ['a long line for a raw reader', { text: 'x'.repeat(100_000), target: 'raw' }],
  ])('accepts %s', (_what, overrides) => {
    expect(planInput(request(overrides)).kind).toBe('write')
  })

  it('never lets a text leave its paste', () => {
    const piece = fc.constantFrom('a', ' ', '\n', '\r', '\t', '\x00', '\x1b', '[201~', '[200~', '\x1b[201~', '\x16')
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom('prompt' as const, 'raw' as const), (pieces, target) => {
        const bytes = written({ text: pieces.join(''), target })
        // What stands outside of pastes is a quoted key, or text without any control character, or Enter at the end.
        const outside = bytes.replaceAll(/\x1b\[200~.*?\x1b\[201~/gs, '').slice(0, -1)
        if (target === 'prompt') expect(outside.replaceAll(/\x16./gs, '')).not.toMatch(/[\x00-\x1f]/)
        else if (/\t|[\n\r] /.test(pieces.join(''))) expect(outside).toBe('')
        expect(bytes.endsWith('\r')).toBe(true)
      }),
    )
  })

  it('gives a line editor back exactly the text', () => {
    const piece = fc.constantFrom('a', '漢', '\n', '\r\n', '\t', '\x1b', '\x1b[201~', '[201~', '\x16', '\x07', '\x7f')
    fc.assert(
      fc.property(fc.array(piece), fc.boolean(), (pieces, bracketedPaste) => {
        const text = pieces.join('')
        expect(readLine(written({ text, bracketedPaste }))).toBe(text)
      }),
    )
  })
})

/** What readline makes of these bytes up to Enter: pastes are literal, `^V` takes the next key literally. */
function readLine(bytes: string): string {
  const part = /\x1b\[200~(?<paste>.*?)\x1b\[201~|\x16(?<key>.)|(?<plain>[^\x00-\x1f])/gsu
  return bytes.slice(0, -1).replaceAll(part, (...match) => {
    const { paste, key, plain } = match.at(-1) as { paste?: string; key?: string; plain?: string }
    return paste?.replaceAll('\r', '\n') ?? key ?? plain ?? ''
  })
}
