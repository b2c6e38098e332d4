import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DrivenShell, openShellHost, type ShellHost } from './open-shell.js'

useBaseline()

let host: ShellHost
let home: string
beforeAll(async () => {
  host = await openShellHost()
  home = await mkdtemp(join(tmpdir(), 'shell-home-'))
})
afterAll(async () => {
  await host.dispose()
  await rm(home, { recursive: true })
})

/** Where a program that runs inside might look. Each prints at least `sign`. */
const PLACES: readonly { place: string; line: string; sign: string }[] = [
  { place: 'its environment', line: 'env', sign: 'PATH=' },
  { place: 'the initial environment of the shell', line: 'cat /proc/$$/environ', sign: 'PATH=' },
  { place: 'the command line of the shell', line: 'cat /proc/$$/cmdline', sign: 'bash' },
  {
    place: 'a child that shows its state',
    line: "bash --norc -c 'set; declare -p; declare -f; trap'",
    sign: 'BASH_VERSION',
  },
  { place: 'an interactive child', line: "bash --norc -ic 'set; declare -f'", sign: 'BASH_VERSION' },
  { place: 'an exported PS1', line: 'export PS1 PS2 PS0; env', sign: 'PS1=' },
  { place: 'exported variables of ours', line: 'set -a; export __at; env', sign: 'PATH=' },
  { place: 'the history', line: 'history; fc -l; echo "$BASH_COMMAND"', sign: 'history' },
  {
    place: 'files that have just been written',
    line: 'find /tmp /dev/shm -newer /proc/$$ -type f -user "$(id -un)" -size -100k -exec cat {} + 2>/dev/null; echo sign',
    sign: 'sign',
  },
]

for (const level of ['auto', '3.2'] as const) {
  describe(`the nonce of bash ${level === 'auto' ? 'as it is' : 'with the means of 3.2'}`, () => {
    it.each(PLACES)('is not in $place', async ({ line, sign }) => {
      const shell = await host.open({ level })
      const { output } = await shell.run(line)
      expect(output).toContain(sign)
      expect(output).not.toContain(shell.nonce)
      await shell.close()
    })

    it('is never shown on the terminal', async () => {
      const shell = await host.open({ level })
      await shell.run('true')
      expect(shell.raw).not.toContain(shell.nonce)
      await shell.close()
    })
  })
}

describe('a child', () => {
  it('inherits the standard descriptors only', async () => {
    const shell = await host.open()
    const { output } = await shell.run('ls /proc/self/fd | tr "\\n" " "')
    expect(output.trim()).toBe('0 1 2 3')
    await shell.close()
  })

  it('finds nothing of ours in its environment but the clean-up tags', async () => {
    const shell = await host.open()
    const { output } = await shell.run('env')
    const ours = output.split('\n').filter((line) => /__at|AGENT_TERMINALS|PROMPT_COMMAND|HISTFILE|^PS\d/.test(line))
    expect(ours.filter((line) => !/^AGENT_TERMINALS_(TAG|HOST)=[0-9a-f_]+$/.test(line))).toEqual([])
    await shell.close()
  })
})

describe('a mark that a program prints', () => {
  it.each([
    ['without a nonce', "printf '\\e]6973;command-end;0\\a'"],
    ['with a guessed nonce', `printf '\\e]6973;${'0'.repeat(32)};command-end;0\\a'`],
    ['as an inner shell with an integration of its own would', `printf '\\e]6973;${'a'.repeat(32)};prompt-end\\a$ '`],
    ['that asks for the nonce', "printf '\\e]6973;nonce?\\a'"],
  ])('changes nothing %s', async (_title, print) => {
    const shell = await host.open()
    const report = await shell.run(`${print}; echo end`)
    expect(report.output).toContain('6973')
    expect(report.output).toContain('end\n')
    expect(report.commands).toHaveLength(1)
    expect(shell.raw).not.toContain(shell.nonce)
    await shell.close()
  })
})

describe('history', () => {
  async function openAtHome(): Promise<DrivenShell> {
    await writeFile(join(home, '.bash_history'), 'echo from-the-user\n')
    return host.open({ env: { HOME: home } })
  }

  it('of the user is neither loaded nor written', async () => {
    const shell = await openAtHome()
    expect((await shell.run('history')).output).not.toContain('from-the-user')
    await shell.run('exit')
    expect(await readFile(join(home, '.bash_history'), 'utf8')).toBe('echo from-the-user\n')
    await shell.close()
  })

  it('of the session remembers what was typed and nothing of ours', async () => {
    const shell = await openAtHome()
    await shell.run('echo first')
    expect((await shell.run('history')).output.replaceAll(/^ +/gm, '')).toBe('1  echo first\n2  history\n')
    await shell.close()
  })

  it('is not expanded', async () => {
    const shell = await openAtHome()
    expect((await shell.run('echo "wow!bar" !!')).output).toBe('wow!bar !!\n')
    await shell.close()
  })
})
