import { describe, expect, it } from 'vitest'
import { allText, encoder, feedText, makeOutput, NONCE, startSeen } from './harness.js'

const ESC = '\u001b'
const mark = (body: string, end = '\u0007'): string => `${ESC}]6973;${NONCE};${body}${end}`

function see(...pieces: readonly string[]) {
  const output = makeOutput({ maxMarkBytes: 200 })
  const { seen, sink } = startSeen()
  for (const piece of pieces) feedText(output, piece, sink)
  return { ...seen, raw: new TextDecoder().decode(Uint8Array.from(seen.raw)), text: allText(output) }
}

describe('marks', () => {
  it('come in stream order with kind and payload and leave no byte behind', () => {
    const { raw, text, order } = see(`a${mark('prompt-start')}b${mark('cwd;/tmp/a;b 日', `${ESC}\\`)}c`)
    expect(raw).toBe('abc')
    expect(text).toBe('abc')
    expect(order).toEqual(['1:{"kind":"prompt-start","payload":""}', '2:{"kind":"cwd","payload":"/tmp/a;b 日"}'])
  })

  it.each([
    ['without our nonce', `${ESC}]6973;other;prompt-start\u0007`],
    ['with a control character inside', `${ESC}]6973;${NONCE};a\nb\u0007`],
    ['longer than a mark may be', mark(`command-start;${'x'.repeat(300)}`)],
    ['that never ends', mark('prompt-start', `${ESC}[K`)],
  ])('are ordinary output when forged: %s', (_what, bytes) => {
    const { raw, marks, text } = see(`a${bytes}b`)
    expect(raw).toBe(`a${bytes}b`)
    expect(marks).toEqual([])
    expect(text).not.toContain('6973')
  })

  it('are held back only while undecided', () => {
    const output = makeOutput()
    const { seen, sink } = startSeen()
    output.feed(encoder.encode(`ab${ESC}`), sink)
    expect(seen.raw).toEqual([0x61, 0x62])
    output.feed(encoder.encode('[31mc'), sink)
    expect(new TextDecoder().decode(Uint8Array.from(seen.raw))).toBe(`ab${ESC}[31mc`)
  })

  it('are found behind a string that a program left open', () => {
    const { marks, text } = see(`${ESC}]0;title`, mark('prompt-start'), '$ ')
    expect(marks).toHaveLength(1)
    expect(text).toBe('$ ')
  })

  it('bring lines back after a program died on the alternate screen', () => {
    const { modes, text } = see(`a\r\n${ESC}[?1049hdrawn${mark('prompt-start')}$ `)
    expect(text).toBe('a\n$ ')
    expect(modes).toEqual([
      { mode: 'alternate-screen', on: true },
      { mode: 'alternate-screen', on: false },
    ])
  })
})

describe('what programs tell the terminal', () => {
  it('reports each change of a mode once', () => {
    const { modes } = see(`${ESC}[?2004h${ESC}[?2004h${ESC}[?1;1049h${ESC}=${ESC}[?2004l${ESC}c`)
    expect(modes.map(({ mode, on }) => `${mode} ${on}`)).toEqual([
      'bracketed-paste true',
      'application-cursor true',
      'alternate-screen true',
      'application-keypad true',
      'bracketed-paste false',
      'application-cursor false',
      'alternate-screen false',
      'application-keypad false',
    ])
  })

  it('reports placing the cursor, but neither clearing nor redrawing lines', () => {
    const addressing = (text: string): boolean => see(text).modes.some(({ mode }) => mode === 'cursor-addressing')
    expect(addressing(`${ESC}[5;10Hx`)).toBe(true)
    expect(addressing(`${ESC}[7d`)).toBe(true)
    expect(addressing(`${ESC}[H${ESC}[2J${ESC}[3J`)).toBe(false)
    expect(addressing(`a${ESC}7${ESC}[24;0fProgress: 10%${ESC}8`)).toBe(false)
    expect(addressing(`a\r\nb\r\n${ESC}[2A\rx`)).toBe(false)
  })

  it('passes on titles without controls and questions as they come', () => {
    const { titles, order, queries } = see(`${ESC}]0;my\u0001 title\u0007ab${ESC}[6n${ESC}[c${ESC}[>0c${ESC}[5n`)
    expect(titles).toEqual(['my title'])
    expect(queries).toEqual(['cursor-position', 'primary-attributes', 'secondary-attributes', 'device-status'])
    expect(order[1]).toBe('20:"cursor-position"')
  })

  it('swallows an over-long title to its end', () => {
    const { titles, text } = see(`${ESC}]0;${'x'.repeat(100_000)}\u0007after`)
    expect(titles).toEqual([])
    expect(text).toBe('after')
  })
})

describe('what a chunk meant', () => {
  it.each([
    ['text', 'a', { printed: true, redrawOnly: false }],
    ['colours only', `${ESC}[31m${ESC}[0m`, { printed: false, redrawOnly: false }],
    ['a mark only', mark('prompt-start'), { printed: false, redrawOnly: false }],
    ['a spinner', '\b|', { printed: true, redrawOnly: true }],
    ['a frame as long as the last', '\rworking /', { printed: true, redrawOnly: true }],
    ['a longer frame', '\rworking, still', { printed: true, redrawOnly: false }],
    ['a new line', '\r\n', { printed: true, redrawOnly: false }],
  ])('tells %s', (_what, text, expected) => {
    const output = makeOutput()
    feedText(output, 'working -')
    const { sink } = startSeen()
    expect(output.feed(encoder.encode(text), sink)).toEqual(expected)
  })
})
