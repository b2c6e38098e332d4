import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShellHost, type ShellHost } from './open-shell.js'

useBaseline()

let host: ShellHost
let directory: string
beforeAll(async () => {
  host = await openShellHost()
  directory = await realpath(await mkdtemp(join(tmpdir(), 'shell-hooks-')))
})
afterAll(async () => {
  await host.dispose()
  await rm(directory, { recursive: true })
})

for (const level of ['auto', '3.2'] as const) {
  describe(`our hooks on bash ${level === 'auto' ? 'as it is' : 'with the means of 3.2'}`, () => {
    it('leave $_, $? and PIPESTATUS to the user', async () => {
      const shell = await host.open({ level })
      await shell.run('true one two')
      expect((await shell.run('echo "$_"')).output).toBe('two\n')
      expect((await shell.run('false | true; echo "${PIPESTATUS[*]}"')).output).toBe('1 0\n')
      await shell.run('true | false | true')
      expect((await shell.run('echo "${PIPESTATUS[*]}"; env | grep PIPESTATUS')).output).toBe('0 1 0\n')
      await shell.run('(exit 42)')
      expect((await shell.run('echo "$?"')).output).toBe('42\n')
      await shell.close()
    })

    it.each([
      ['a space', "'a b'"],
      ['a quote', `"it's"`],
      ['a newline and an escape', "$'x\\ny\\e[31m\\a'"],
      ['wide characters', "'漢字 é'"],
      ['shell characters', "'$(id);&`x`\\\\'"],
    ])('tell a directory with %s exactly', async (_what, name) => {
      const shell = await host.open({ level, cwd: directory })
      await shell.run(`mkdir -p ${name} && cd ${name}`)
      const { output } = await shell.run('printf %s "$PWD" | od -An -v -tx1 | tr -d " \\n"; echo')
      expect(shell.tracking.cwd).toBe(Buffer.from(output.trim(), 'hex').toString('utf8'))
      expect(shell.tracking.cwd).toContain(`${directory}/`)
      await shell.close()
    })
  })
}

describe('PROMPT_COMMAND with hooks of other tools', () => {
  it('runs all of an array, in order, each with the code of the user', async () => {
    const shell = await host.open()
    await shell.run(`PROMPT_COMMAND=('first=$?; order=1' 'second=$?; order=\${order}2')`)
    await shell.run('true')
    await shell.run('(exit 9)')
    expect((await shell.run('echo "$first $second $order"')).output).toBe('9 9 12\n')
    await shell.close()
  })

  it('is last again after a hook was appended that sets PS1', async () => {
    const shell = await host.open()
    await shell.type(`PROMPT_COMMAND+=('PS1="late> "')`)
    await shell.waitFor(() => shell.raw.endsWith('late> '))
    await shell.run('')
    const { commands } = await shell.run('(exit 3)')
    expect(commands.at(-1)).toMatchObject({ exitCode: 3 })
    expect(shell.raw.endsWith('late> ')).toBe(true)
    await shell.close()
  })

  it('keeps the hooks of a string on old bash, with the code of the user', async () => {
    const shell = await host.open({ level: '3.2' })
    await shell.run(`PROMPT_COMMAND='first=$?'`)
    await shell.run('true')
    await shell.run('(exit 9)')
    expect((await shell.run('echo "$first"')).output).toBe('9\n')
    await shell.close()
  })
})
