import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { promptDetection, trackShell } from '../../src/core/shell/tracking.js'
import { type DrivenShell, openShellHost, type ShellHost } from './open-shell.js'

useBaseline()

let host: ShellHost
beforeAll(async () => {
  host = await openShellHost()
})
afterAll(() => host.dispose())

/** Type into a shell that has no marks of ours, and wait for what it prints. */
async function tell(shell: DrivenShell, line: string, ending: string): Promise<void> {
  await shell.terminal.write(`${line}\r`)
  await shell.waitFor(() => shell.raw.endsWith(ending))
}

for (const level of ['auto', '3.2'] as const) {
  describe(`on bash ${level === 'auto' ? 'as it is' : 'with the means of 3.2'}`, () => {
    it.each([
      ['sh', "PS1='inner> ' sh"],
      ['bash', 'bash --rcfile <(echo "PS1=\'inner> \'")'],
    ])('a nested %s is a program like any other', async (_name, start) => {
      const shell = await host.open({ level })
      await shell.type(start)
      await shell.waitFor(() => shell.raw.endsWith('inner> '))
      const events = shell.events.length
      await tell(shell, 'echo in; false', 'inner> ')
      expect(shell.events).toHaveLength(events)
      expect(shell.tracking.phase.kind).toBe('running')
      await shell.terminal.write('exit 5\r')
      await shell.waitFor(() => shell.tracking.phase.kind === 'editing')
      expect(shell.commands.at(-1)).toMatchObject({ commandLine: start, exitCode: 5 })
      expect((await shell.run('echo out')).output).toBe('out\n')
      await shell.close()
    })

    it.each([
      ['sh', "exec env PS1='inner> ' sh"],
      ['bash', 'exec bash --rcfile <(echo "PS1=\'inner> \'")'],
    ])('%s in the place of the shell has no marks', async (_name, start) => {
      const shell = await host.open({ level })
      await shell.type(start)
      await shell.waitFor(() => shell.raw.endsWith('inner> '))
      const events = shell.events.length
      await tell(shell, 'echo in', 'inner> ')
      expect(shell.events).toHaveLength(events)
      const lost = trackShell(shell.tracking, { kind: 'marks-missing' }, 0)
      expect(promptDetection(lost)).toBe('lost')
      await shell.close()
    })

    it('marks that were removed by hand are missing until they come back', async () => {
      const shell = await host.open({ level })
      await shell.type("unset __at_e __at_p __at_s __at_d; PS1='bare> '; unset PROMPT_COMMAND PS0; trap - DEBUG")
      await shell.waitFor(() => shell.raw.endsWith('bare> '))
      expect(shell.tracking.phase.kind).toBe('running')
      await shell.close()
    })
  })
}
