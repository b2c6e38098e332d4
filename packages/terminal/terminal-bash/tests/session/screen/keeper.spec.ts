import { useBaseline } from '@agent-terminals/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createTerminalOutput, type TerminalOutput } from '../../../src/core/index.js'
import { type LoadXterm, loadXterm } from '../../../src/session/screen/emulator.js'
import { ScreenKeeper } from '../../../src/session/screen/keeper.js'

useBaseline()

const encoder = new TextEncoder()

/** A keeper fed as a session feeds it: bytes through the output side, in the order of the stream. */
class Bench {
  loads = 0
  holds: boolean[] = []
  readonly keeper: ScreenKeeper
  private readonly output: TerminalOutput
  private raw: Uint8Array[] = []

  constructor(isKept = true, load: LoadXterm = loadXterm) {
    this.output = createTerminalOutput({
      nonce: 'n',
      columns: 40,
      rows: 6,
      scrollbackLines: 100,
      scrollbackMaxBytes: 100_000,
      maxReadBytes: 10_000,
    })
    this.keeper = new ScreenKeeper({
      output: this.output,
      size: { columns: 40, rows: 6 },
      isKept,
      load: () => {
        this.loads++
        return load()
      },
      title: () => undefined,
      isProgramInFront: () => true,
      hold: () => this.holds.push(true),
      release: () => this.holds.push(false),
    })
  }

  print(text: string | Uint8Array): void {
    const pass = () => {
      for (const bytes of this.raw) this.keeper.handleRaw(bytes)
      this.raw = []
    }
    this.output.feed(typeof text === 'string' ? encoder.encode(text) : text, {
      raw: (bytes) => this.raw.push(bytes.slice()),
      mark: () => this.keeper.handlePrompt(),
      title() {},
      query() {},
      mode: (change) => {
        pass()
        this.keeper.handleMode(change)
      },
    })
    pass()
  }

  async rows(): Promise<readonly string[]> {
    return (await this.keeper.snapshot({})).rows
  }
}

let bench: Bench
const start = (isKept?: boolean, load?: LoadXterm) => {
  bench = new Bench(isKept, load)
  return bench
}
afterEach(() => bench.keeper.close())

describe('a picture of the screen', () => {
  it('is not even begun while programs print lines', () => {
    start().print('one\r\n\x1b[31mtwo\x1b[0m\r\nprogress 10%\rprogress 20%\x1b[K\r\n\x1b[1Aredrawn\r\n')
    bench.print('\x1b[H\x1b[2Jafter clear\r\n'.repeat(3))
    expect(bench.loads).toBe(0)
  })

  it('is not shown where no screens are kept, but tells where the cursor is', async () => {
    start(false).print('\x1b[?1049h\x1b[5;5Hdrawn')
    expect(await bench.keeper.cursor()).toMatchObject({ row: 5, column: 10 })
    await expect(bench.keeper.snapshot({})).rejects.toMatchObject({ code: 'UNSUPPORTED' })
  })

  it('of the alternate screen is right from the switch on, however it is split', async () => {
    start()
    for (const byte of encoder.encode('$ vim\r\n\x1b[?1049h\x1b[2;3Htwo\x1b[1;1Hone')) bench.print(Uint8Array.of(byte))
    expect(await bench.rows()).toEqual(['one', '  two', '', '', '', ''])
    expect(await bench.keeper.snapshot({})).toMatchObject({ isAlternate: true, source: 'emulator' })
    expect(bench.loads).toBe(1)
  })

  it('on the main screen has what was drawn between the clearing and the first jump', async () => {
    start().print('old\r\n\x1b[H\x1b[2Jtitle line\r\nsecond\x1b[4;2Hjumped')
    expect(await bench.rows()).toEqual(['title line', 'second', '', ' jumped', '', ''])
  })

  it('on a screen that nobody has cleared begins with the lines on it', async () => {
    start().print('$ menu\r\nfirst\r\nsecond\x1b[2;1H\x1b[7mfirst\x1b[0m')
    const { rows, spans, cursor } = await bench.keeper.snapshot({ attributes: true })
    expect(rows).toEqual(['$ menu', 'first', 'second', '', '', ''])
    expect(spans).toEqual([{ row: 2, column: 1, text: 'first', style: 'inverse' }])
    expect(cursor).toEqual({ row: 2, column: 6, isVisible: true })
  })

  it('after a flood of lines that followed a clearing begins with the lines on it', async () => {
    start().print(`\x1b[H\x1b[2J${'line\r\n'.repeat(12_000)}`)
    bench.print('\x1b[2;1HN')
    expect(await bench.rows()).toEqual(['line', 'Nine', 'line', 'line', 'line', ''])
  })

  it('of lines that a program has moved up over has the cursor where the program left it', async () => {
    start().print('a\r\nb\r\nc\x1b[2A\rX')
    expect(await bench.keeper.snapshot({})).toMatchObject({
      rows: ['X', 'b', 'c', '', '', ''],
      cursor: { row: 1, column: 2 },
    })
  })

  it('cannot be had where the emulator cannot be loaded, and the output goes on without it', async () => {
    start(true, () => Promise.reject(new Error('not installed'))).print('\x1b[?1049h\x1b[2;2Hx')
    await expect(bench.keeper.snapshot({})).rejects.toThrow('the terminal emulator does not answer')
    bench.print('more')
    bench.keeper.resize({ columns: 20, rows: 3 })
    expect(await bench.keeper.cursor()).toEqual({ row: 1, column: 1 })
    await expect(bench.keeper.snapshot({})).rejects.toMatchObject({ code: 'UNSUPPORTED' })
  })

  it('that is asked for while nothing draws is put together from lines', async () => {
    start().print('a\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng')
    expect(await bench.keeper.snapshot({})).toMatchObject({ rows: ['b', 'c', 'd', 'e', 'f', 'g'], source: 'lines' })
  })

  it('ends when the program gives the screen back, and at the shell’s prompt', async () => {
    start().print('\x1b[?1049hvim')
    expect(bench.keeper.isDrawn).toBe(true)
    bench.print('\x1b[?1049l')
    expect(bench.keeper.isDrawn).toBe(false)
    bench.print('\x1b[?1049hcrashed')
    bench.print('\x1b]6973;n;prompt-start\x07$ ')
    expect(bench.keeper.isDrawn).toBe(false)
    expect((await bench.rows())[0]).toContain('$')
  })

  it('has a hash that tells a moved selection from none', async () => {
    start().print('\x1b[?1049h\x1b[1;1H\x1b[7mone\x1b[0m\x1b[2;1Htwo\x1b[?25l\x1b[6;1H')
    const first = await bench.keeper.snapshot({})
    expect((await bench.keeper.snapshot({})).hash).toBe(first.hash)
    bench.print('\x1b[1;1Hone\x1b[2;1H\x1b[7mtwo\x1b[0m\x1b[6;1H')
    const second = await bench.keeper.snapshot({})
    expect(second.rows).toEqual(first.rows)
    expect(second.cursor).toEqual({ row: 6, column: 1, isVisible: false })
    expect(second.hash).not.toBe(first.hash)
  })

  it('holds back a program that draws faster than it can be drawn, and lets it go on', async () => {
    start().print('\x1b[?1049h')
    const frame = encoder.encode('\x1b[H'.padEnd(65_536, 'x'))
    for (let each = 0; each < 40; each++) bench.print(frame)
    expect(bench.holds).toEqual([true])
    await bench.rows()
    expect(bench.holds).toEqual([true, false])
  })

  it('that is dropped lets the program go on, and answers whoever waits for it with lines', async () => {
    start().print('$ flood\r\n\x1b[?1049h')
    const frame = encoder.encode('\x1b[H'.padEnd(65_536, 'x'))
    for (let each = 0; each < 40; each++) bench.print(frame)
    const asked = bench.keeper.snapshot({})
    bench.print('\x1b[?1049l')
    expect(bench.holds).toEqual([true, false])
    expect(await asked).toMatchObject({ source: 'lines', rows: ['$ flood', '', '', '', '', ''] })
  })

  it('keeps up with a new size', async () => {
    start().print('\x1b[?1049h\x1b[1;1Hbefore')
    bench.keeper.resize({ columns: 20, rows: 3 })
    bench.print('\x1b[2J\x1b[3;1Hlast row')
    expect(await bench.keeper.snapshot({})).toMatchObject({ rows: ['', '', 'last row'], columns: 20 })
  })
})

it('a picture shows the moment it was asked for, whatever comes while it is drawn', async () => {
  start().print('\x1b[?1049h\x1b[1;1Hbefore')
  const asked = bench.keeper.snapshot({})
  bench.print('\x1b[1;1Hafter!')
  expect((await asked).rows[0]).toBe('before')
  expect((await bench.rows())[0]).toBe('after!')
})
