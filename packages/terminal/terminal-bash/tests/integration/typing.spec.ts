import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenOptions, openShellHost, type ShellHost } from './open-shell.js'

useBaseline()

let host: ShellHost
let directory: string
beforeAll(async () => {
  host = await openShellHost()
  directory = await mkdtemp(join(tmpdir(), 'shell-typing-'))
})
afterAll(async () => {
  await host.dispose()
  await rm(directory, { recursive: true })
})

/** Line editors that take pastes, and two that do not: a terminal called dumb, and readline without the mode. */
const EDITORS: readonly { editor: string; options: OpenOptions; setup?: string }[] = [
  { editor: 'with bracketed paste', options: {} },
  { editor: 'on a dumb terminal', options: { terminalType: 'dumb' } },
  { editor: 'without bracketed paste', options: { level: '3.2' }, setup: "bind 'set enable-bracketed-paste off'" },
  { editor: 'in vi mode', options: {}, setup: 'set -o vi' },
]

/** Content of a heredoc, to arrive byte for byte. */
const CONTENTS: readonly { what: string; content: string }[] = [
  { what: 'plain lines', content: 'a\nb\n' },
  { what: 'tabs', content: '\ta\tb\n\t\n\t/us\t\n' },
  { what: 'quotes and dollars', content: '\'"`$HOME $(id) \\ \\\\ "\'\n' },
  { what: 'history characters', content: '!! !1 wow!bar ^a^b\n' },
  { what: 'a trailing semicolon', content: 'a;\n;\n' },
  { what: 'leading dashes and control names', content: '-n\nC-c\n<Enter>\n^M\n' },
  { what: 'empty lines and spaces', content: '\n\n  \n a \n' },
  { what: 'wide characters', content: '漢字 😀 é ｱ e\u0301\n' },
  { what: 'escape sequences', content: '\x1b[31mred\x1b[0m\x1b]0;title\x07\n' },
  { what: 'an end of paste', content: 'a\x1b[201~b\x1b[200~c\n' },
  { what: 'carriage returns before newlines', content: 'dos\r\nfile\r\n' },
  { what: 'other control characters', content: '\x01\x02\x04\x05\x08\x0b\x0c\x0e\x12\x14\x15\x16\x17\x18\x7f\n' },
  { what: 'a line of 5,000 characters', content: `${'0123456789'.repeat(500)}\n` },
]

for (const { editor, options, setup } of EDITORS) {
  describe(`text typed at the prompt of a line editor ${editor}`, () => {
    it.each(CONTENTS)('arrives exactly: $what', async ({ content }) => {
      const shell = await host.open(options)
      if (setup !== undefined) await shell.run(setup)
      const file = join(directory, 'content')
      const report = await shell.run(`cat > ${file} <<'END'\n${content}END`)
      expect(await readFile(file, 'utf8')).toBe(content)
      expect(report.commands.at(-1)).toMatchObject({ exitCode: 0 })
      await shell.close()
    })

    it('runs several commands in order, with their codes', async () => {
      const shell = await host.open(options)
      if (setup !== undefined) await shell.run(setup)
      const { output, commands } = await shell.run('echo 1\n(exit 3)\nfor i in a b\ndo echo $i\ndone # comment')
      expect(output).toBe('1\na\nb\n')
      expect(commands.at(-1)?.exitCode).toBe(0)
      if (options.level === undefined) {
        expect(commands).toMatchObject([
          { commandLine: 'echo 1', exitCode: 0 },
          { commandLine: '(exit 3)', exitCode: 3 },
          { commandLine: 'for i in a b\ndo echo $i\ndone # comment', exitCode: 0 },
        ])
      }
      await shell.close()
    })

    it('goes on after a heredoc', async () => {
      const shell = await host.open(options)
      if (setup !== undefined) await shell.run(setup)
      const file = join(directory, 'heredoc')
      expect((await shell.run(`cat <<EOF > ${file}\na\nEOF\necho after`)).output).toBe('after\n')
      expect(await readFile(file, 'utf8')).toBe('a\n')
      await shell.close()
    })
  })
}

describe('long text typed at the prompt', () => {
  it.each([
    ['a line of 100 KB', `${'x'.repeat(100_000)}\n`],
    ['1,000 lines', Array.from({ length: 1_000 }, (_, i) => `\tline ${i} of a thousand\n`).join('')],
  ])('arrives exactly: %s', async (_what, content) => {
    const shell = await host.open()
    const file = join(directory, 'long')
    await shell.run(`cat > ${file} <<'END'\n${content}END`)
    expect(await readFile(file, 'utf8')).toBe(content)
    const second = await shell.run(`echo '${'y'.repeat(3_000)}'`)
    expect(second.output).toBe(`${'y'.repeat(3_000)}\n`)
    await shell.close()
  })

  it('continues an unfinished command', async () => {
    const shell = await host.open()
    expect((await shell.run('for i in 1 2')).commands).toEqual([])
    expect(shell.tracking.phase.kind).toBe('continuing')
    const { output, commands } = await shell.run('do echo $i; done')
    expect(output).toBe('1\n2\n')
    expect(commands).toMatchObject([{ commandLine: 'for i in 1 2\ndo echo $i; done', exitCode: 0 }])
    await shell.close()
  })
})

describe('keys', () => {
  it('pass untouched: a tab completes when it is a key', async () => {
    const shell = await host.open({ cwd: directory })
    await shell.run('touch only-file')
    const prompts = shell.events.filter(({ kind }) => kind === 'prompt-end').length
    await shell.terminal.write('echo only\t\r')
    await shell.waitFor(() => shell.events.filter(({ kind }) => kind === 'prompt-end').length > prompts)
    expect(shell.raw).toContain('\x1b[?2004l\ronly-file\r\n')
    expect(shell.commands.at(-1)).toMatchObject({ commandLine: undefined, exitCode: 0 })
    await shell.close()
  })
})
