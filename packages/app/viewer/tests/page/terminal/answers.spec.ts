/** The parser of xterm.js is the same with and without a browser: here it runs without. */
import { Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answers, silenceAnswers } from '../../../src/page/terminal/answers.js'

function createTerminal(isSilenced: boolean) {
  const terminal = new Terminal({ allowProposedApi: true, cols: 80, rows: 24, logLevel: 'off' })
  const said: string[] = []
  const answers: Answers = isSilenced ? silenceAnswers(terminal.parser) : { isAnswering: () => false }
  terminal.onData((data) => {
    if (!answers.isAnswering()) said.push(data)
  })
  return { terminal, said, write: (text: string) => new Promise<void>((done) => terminal.write(text, done)) }
}

const ESC = '\x1b'
const QUESTIONS = [
  '[c',
  '[0c',
  '[>c',
  '[>0c',
  '[5n',
  '[6n',
  '[?6n',
  '[4$p',
  '[?1$p',
  '[?2026$p',
  '[18t',
  'P$qm\x1b\\',
  'P$qr\x1b\\',
  ']10;?\x07',
  ']11;?\x1b\\',
  ']4;1;?\x07',
].map((question) => ESC + question)

describe('a silenced terminal', () => {
  it('says nothing to what a terminal of its own answers', async () => {
    const loud = createTerminal(false)
    await loud.write(QUESTIONS.join(''))
    // The colours are answered by the browser's part alone.
    expect(loud.said.length).toBeGreaterThanOrEqual(12)
    const silent = createTerminal(true)
    await silent.write(QUESTIONS.join(''))
    expect(silent.said).toEqual([])
  })

  it('says nothing to any control sequence there is', async () => {
    const prefixes = ['', '?', '>', '=', '<']
    const intermediates = ['', ' ', '!', '"', '#', '$', '%', '&', "'", '(', ')', '*', '+', ',', '-', '.', '/']
    const finals = Array.from({ length: 0x7f - 0x40 }, (_, index) => String.fromCharCode(0x40 + index))
    const params = ['', '0', '1', '5', '6', '18', '1004', '2026', '0;1']
    const { said, write } = createTerminal(true)
    for (const prefix of prefixes) {
      for (const intermediate of intermediates) {
        const sequences = finals.flatMap((final) =>
          params.map((each) => `${ESC}[${prefix}${each}${intermediate}${final}`),
        )
        await write(sequences.join(''))
      }
    }
    await write(finals.map((final) => `${ESC}P$q${final}${ESC}\\${ESC}P+q${final}${ESC}\\${ESC}${final}`).join(''))
    expect(said).toEqual([])
  })

  it('says nothing to any output', async () => {
    const piece = fc.oneof(
      fc.constantFrom(...QUESTIONS),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(ESC, '[', ']', '\x9b'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const { said, write, terminal } = createTerminal(true)
        await write(pieces.join(''))
        terminal.dispose()
        expect(said).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('still lets a person type', async () => {
    const { terminal, said, write } = createTerminal(true)
    await write(QUESTIONS.join(''))
    terminal.input('ls\r')
    expect(said).toEqual(['ls\r'])
  })

  it('still sets colours', async () => {
    const colours: string[] = []
    const { terminal, write } = createTerminal(true)
    terminal.parser.registerOscHandler(11, (data) => {
      colours.push(data)
      return false
    })
    await write(`${ESC}]11;#123456\x07`)
    expect(colours).toEqual(['#123456'])
  })
})
