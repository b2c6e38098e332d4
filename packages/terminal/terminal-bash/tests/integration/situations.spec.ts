import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DrivenShell, openShellHost, type ShellHost } from './open-shell.js'

useBaseline()

let host: ShellHost
beforeAll(async () => {
  host = await openShellHost()
})
afterAll(() => host.dispose())

/** What users do to their shell, and what `echo hi` prints afterwards. */
interface Situation {
  readonly does: string
  readonly setup: readonly string[]
  readonly output?: string
  /** The release before 5.1 behaves otherwise. */
  readonly oldOutput?: string
  /** Old bash draws one prompt without marks after this. */
  readonly oldLosesPrompt?: true
}

const SITUATIONS: readonly Situation[] = [
  { does: 'nothing', setup: [] },
  { does: 'PS1 is set', setup: ['PS1="me> "'] },
  { does: 'PS1 is set twice, with colours', setup: ["PS1='a '", "PS1='\\[\\e[32m\\]\\u\\[\\e[0m\\] '"] },
  { does: 'PS1 spans two lines', setup: ["PS1='\\w\\n$ '"] },
  { does: 'PS1 gets a prefix, as conda does', setup: ['PS1="(base) $PS1"'] },
  { does: 'PS1 is exported, as virtualenv does', setup: ['export PS1="(venv) $PS1"'] },
  { does: 'PS1 is unset', setup: ['unset PS1'] },
  { does: 'PS2 is set', setup: ['PS2="... "'] },
  { does: 'PS0 is set', setup: ["PS0='run '"], output: 'run hi\n', oldOutput: 'hi\n' },
  { does: 'PROMPT_COMMAND is a string', setup: ["PROMPT_COMMAND='echo x'"], output: 'hi\nx\n' },
  { does: 'PROMPT_COMMAND sets PS1', setup: ['PROMPT_COMMAND=\'PS1="z "\''], oldLosesPrompt: true },
  { does: 'PROMPT_COMMAND is unset', setup: ['unset PROMPT_COMMAND'] },
  { does: 'PROMPT_COMMAND fails', setup: ["PROMPT_COMMAND='false'"] },
  {
    does: 'PROMPT_COMMAND and all prompts are replaced in one command',
    setup: ["PROMPT_COMMAND=; PS1='z '; PS2='b '"],
  },
  { does: 'an alias hides printf', setup: ["alias printf='echo no'", "alias read='echo no' local='echo no'"] },
  { does: 'functions hide builtins', setup: ['printf() { echo no; }', 'read() { echo no; }', 'trap() { echo no; }'] },
  { does: 'the shell is strict', setup: ['set -euo pipefail'] },
  { does: 'the shell is strict and errors are inherited', setup: ['set -eEuo pipefail; shopt -s inherit_errexit'] },
  { does: 'errors are trapped', setup: ["set -E; trap 'echo ERR' ERR"] },
  { does: 'functions are traced', setup: ['set -T', "trap 'echo RET' RETURN"] },
  { does: 'the debugger is on', setup: ['shopt -s extdebug'] },
  { does: 'commands are traced', setup: ['set -x'], output: '+ echo hi\nhi\n' },
  { does: 'POSIX mode is on', setup: ['set -o posix'] },
  { does: 'everything is exported', setup: ['set -a'] },
  { does: 'files are not overwritten', setup: ['set -C'] },
  { does: 'globs are off', setup: ['set -f'] },
  { does: 'the line editor is vi', setup: ['set -o vi'] },
  { does: 'IFS is odd', setup: ["IFS='0123456789;$'"] },
  { does: 'few descriptors are allowed', setup: ['ulimit -n 32'] },
  { does: 'history is off', setup: ['set +o history'] },
  { does: 'LINENO is unset', setup: ['unset LINENO'] },
  { does: 'a DEBUG trap is set', setup: ["trap 'D=1' DEBUG"] },
  { does: 'a DEBUG trap prints', setup: ["trap 'echo D' DEBUG"], output: 'D\nhi\n' },
  { does: 'a DEBUG trap was set and removed', setup: ["trap 'echo D' DEBUG", 'trap - DEBUG', 'true'] },
  { does: 'an EXIT trap is set', setup: ["trap 'echo bye' EXIT"] },
  { does: 'the shell was in a subshell', setup: ['( echo sub; exit 3 )'] },
  { does: 'a nested bash came and went', setup: ['bash --norc -c "echo nested"'] },
  { does: 'a background job prints', setup: ['(echo background) & wait'] },
]

for (const level of ['auto', '3.2'] as const) {
  describe(`bash ${level === 'auto' ? 'as it is' : 'with the means of 3.2'}`, () => {
    it.each(SITUATIONS)(
      'keeps its marks when $does',
      async ({ setup, oldLosesPrompt, output = 'hi\n', oldOutput = output }) => {
        const shell = await host.open({ level })
        for (const line of setup) {
          if (level === 'auto' || !oldLosesPrompt) await shell.run(line)
          else await passUnmarkedPrompt(shell, line)
        }

        const hi = await shell.run('echo hi')
        expect(hi.output).toBe(level === 'auto' ? output : oldOutput)
        // A command whose end was not told is reported once the next one starts.
        expect(hi.commands.at(-1)).toMatchObject({ exitCode: 0, commandLine: 'echo hi' })

        const failed = await shell.run('! true')
        expect(failed.commands.at(-1)).toMatchObject({ exitCode: 1 })
        const seen = await shell.run('echo "code $?"')
        expect(seen.output).toContain('code 1\n')

        const environment = await shell.run('env')
        expect(environment.output).toContain('PATH=')
        expect(environment.output).not.toContain(shell.nonce)
        expect(environment.output).not.toMatch(/^(?!PS1=).*__at/m)
        expect(environment.output).not.toMatch(/^PROMPT_COMMAND=.*__at/m)
        expect(shell.tracking.phase.kind).toBe('editing')
        await shell.close()
      },
    )
  })
}

it.each(['auto', '3.2'] as const)('tells of prompts that are drawn elsewhere (bash level %s)', async (level) => {
  const shell = await host.open({ level })
  await shell.run('exec 2>/dev/null')
  expect(shell.tracking.editorSeen).toBe(false)
  const { commands } = await shell.run('echo hi; (exit 7)')
  expect(commands.at(-1)).toMatchObject({ exitCode: 7, commandLine: 'echo hi; (exit 7)' })
  await shell.run('exec 2>&1')
  expect(shell.tracking.editorSeen).toBe(true)
  await shell.close()
})

async function passUnmarkedPrompt(shell: DrivenShell, line: string): Promise<void> {
  await shell.type(line)
  await shell.waitFor(() => shell.raw.endsWith('z '))
  expect(shell.tracking.phase.kind).not.toBe('editing')
  await shell.run('')
  await shell.run('true')
}
