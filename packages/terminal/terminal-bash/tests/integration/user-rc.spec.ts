import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { promptDetection } from '../../src/core/shell/tracking.js'
import { type DrivenShell, type OpenOptions, openShellHost, type ShellHost } from './open-shell.js'

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

async function openWith(rc: string, options: OpenOptions = {}): Promise<DrivenShell> {
  await writeFile(join(home, '.bashrc'), rc)
  return host.open({ loadUserRc: true, env: { HOME: home }, ...options })
}

for (const level of ['auto', '3.2'] as const) {
  describe(`the user's rc file on bash ${level === 'auto' ? 'as it is' : 'with the means of 3.2'}`, () => {
    it('is not read unless asked for', async () => {
      const shell = await openWith('echo from-rc', { level, loadUserRc: false })
      expect(shell.raw).not.toContain('from-rc')
      await shell.close()
    })

    it('runs first and is said to run', async () => {
      const shell = await openWith('echo from-rc; greet() { echo hello; }', { level })
      expect(shell.events[0]).toEqual({ kind: 'user-rc' })
      expect(shell.raw).toContain('from-rc\r\n')
      expect((await shell.run('greet')).output).toBe('hello\n')
      await shell.close()
    })

    it('may be slow', async () => {
      const shell = await openWith('sleep 1; late=yes', { level })
      expect((await shell.run('echo $late')).output).toBe('yes\n')
      await shell.close()
    })

    it('may ask', async () => {
      const shell = await openWith("read -rp 'name? ' name", { level, isStarting: true })
      await shell.waitFor(() => shell.raw.endsWith('name? '))
      expect(shell.tracking.phase).toEqual({ kind: 'starting', userRc: true })
      await shell.terminal.write('bob\r')
      await shell.waitFor(() => shell.tracking.phase.kind === 'editing')
      expect((await shell.run('echo $name')).output).toBe('bob\n')
      await shell.close()
    })

    it('keeps its prompt and its hooks', async () => {
      const rc = "PS1='mine> '; PROMPT_COMMAND='hooks=$((hooks + 1))'; trap 'echo bye' EXIT; HISTFILE=~/.bash_history"
      const shell = await openWith(rc, { level })
      expect(shell.raw).toContain('mine> ')
      await shell.run('true')
      expect((await shell.run('echo "$hooks ${HISTFILE-unset}"')).output).toBe('2 unset\n')
      const shown = shell.raw.length
      await shell.run('exit 3')
      expect(shell.raw.slice(shown)).toContain('\nbye\r\n')
      expect(shell.events.at(-1)?.kind).toBe('exiting')
      await shell.close()
    })

    it('may be strict', async () => {
      const shell = await openWith('set -euo pipefail; set -a', { level })
      expect((await shell.run('echo hi')).output).toBe('hi\n')
      expect((await shell.run('env')).output).not.toContain(shell.nonce)
      await shell.close()
    })

    it('may leave', async () => {
      const shell = await openWith('exit 9', { level, isStarting: true })
      await expect(shell.terminal.exited).resolves.toEqual({ kind: 'code', code: 9 })
      expect(shell.events.at(-1)).toEqual({ kind: 'exiting', exitCode: 9 })
      await shell.close()
    })

    it('may replace the shell, which then has no marks', async () => {
      const shell = await openWith("exec env PS1='other> ' sh", { level, isStarting: true })
      await shell.waitFor(() => shell.raw.endsWith('other> '))
      expect(promptDetection(shell.tracking)).toBe('none')
      await shell.close()
    })
  })
}
