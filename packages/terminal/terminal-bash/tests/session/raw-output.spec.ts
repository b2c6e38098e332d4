import { useBaseline } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ShellHost, startShellHost, type Terminal } from '../support/shell-host.js'

useBaseline()

describe('the raw output of a send', () => {
  let host: ShellHost
  let terminal: Terminal
  beforeAll(async () => {
    host = await startShellHost({})
  })
  afterAll(() => host.close())
  beforeEach(async () => {
    terminal = await host.open()
  })
  afterEach(() => terminal.close())

  /** What observers of the send are told, joined. */
  const rawOf = async (text: string) => {
    let raw = ''
    const send = terminal.start(text, {
      onOutput: (output) => {
        raw += output
      },
    })
    await send.outcome
    return raw
  }

  it.each([
    ['a command', 'echo hi', 'hi\r\n'],
    ['silence', 'true', ''],
    ['output without a line end', 'printf abc', 'abc'],
    ['colours, as they are', `printf '\\033[31mred\\033[0m\\n'`, '\x1b[31mred\x1b[0m\r\n'],
    ['a program that is not there', 'nosuch', 'bash: nosuch: command not found\r\n'],
    ['several lines', 'echo a\necho b', 'a\r\nb\r\n'],
    ['one command over several lines', 'for i in 1 2\ndo echo $i\ndone', '1\r\n2\r\n'],
    ['a question', 'read -p "q? " x', 'q? '],
  ])('has neither prompt nor echo: %s', async (_, text, expected) => {
    expect(await rawOf(text)).toBe(expected)
  })

  it('has what the shell itself complains about', async () => {
    expect(await rawOf('if then')).toMatch(/^bash: .*syntax error.*\r\n/)
  })

  it('has what a program echoes', async () => {
    await terminal.send('cat')
    expect(await rawOf('line')).toBe('line\r\nline\r\n')
  })
})
