import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../src/program.js'
import { runCli } from '../run-cli.js'

useBaseline()

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'completion-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

async function writeScript(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(['completion', shell])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const file = join(directory, shell)
  writeFileSync(file, stdout)
  return file
}

function run(program: string, ...args: readonly string[]): readonly string[] {
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8', cwd: directory })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.split('\n').filter((line) => line !== '')
}

const isMissing = (program: string) => spawnSync(program, ['-c', ':']).status !== 0
const words = createProgram(() => undefined).commands.map((command) => command.name())

describe('bash', () => {
  /** What TAB offers after a line: what `complete` has registered is called as readline calls it. */
  async function offer(...line: readonly string[]): Promise<readonly string[]> {
    const script = `source "$1"; shift
function=$(complete -p agent-terminals | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "$function" "$1" "\${COMP_WORDS[COMP_CWORD]}"
printf '%s\\n' "\${COMPREPLY[@]}"`
    return run('bash', '--norc', '-c', script, 'bash', await writeScript('bash'), 'agent-terminals', ...line)
  }

  test('offers the commands, and what all of them take', async () => {
    expect(await offer('')).toEqual(expect.arrayContaining([...words, '--help', '--verbose']))
    expect(await offer('se')).toEqual(['serve'])
    expect(await offer('--verbose', 'de')).toEqual(['demo'])
  })

  test('offers the options of the command, and the words of an option', async () => {
    expect(await offer('serve', '--to')).toEqual(['--token-file'])
    expect(await offer('demo', '--to')).toEqual([])
    expect(await offer('mcp', '--sandbox', '')).toEqual(['read-only', 'workspace-write', 'danger-full-access'])
    expect(await offer('mcp', '--http', '--sa')).toEqual(['--sandbox'])
    expect(await offer('completion', 'z')).toEqual(['zsh'])
  })

  test('leaves file names to bash', async () => {
    expect(await offer('serve', '--config', '')).toEqual([])
    expect(
      run('bash', '--norc', '-c', 'source "$1"; complete -p agent-terminals', 'bash', join(directory, 'bash')),
    ).toEqual(['complete -o default -F _agent_terminals agent-terminals'])
  })
})

describe.skipIf(isMissing('fish'))('fish (skipped without fish)', () => {
  const offer = (script: string, line: string) =>
    run('fish', '--no-config', '-c', `source '${script}'; complete -C '${line}'`).map((each) => each.split('\t')[0])

  test('offers commands, options, their words and file names', async () => {
    const script = await writeScript('fish')
    expect(offer(script, 'agent-terminals ')).toEqual(expect.arrayContaining(words))
    expect(offer(script, 'agent-terminals serve --to')).toEqual(['--token-file'])
    expect(offer(script, 'agent-terminals demo --to')).toEqual([])
    expect(offer(script, 'agent-terminals mcp --sandbox r')).toEqual(['read-only'])
    expect(offer(script, 'agent-terminals completion ')).toEqual(['bash', 'fish', 'zsh'])
    expect(offer(script, 'agent-terminals serve --config ba')).toEqual(['bash'])
  })
})

describe.skipIf(isMissing('zsh'))('zsh (skipped without zsh)', () => {
  test('takes the script and registers the completion', async () => {
    const script = await writeScript('zsh')
    const probe = `source '${script}'; print -r -- $_comps[agent-terminals]`
    expect(run('zsh', '-f', '-c', probe)).toEqual([expect.stringMatching(/^_bash_complete .*-F _agent_terminals/)])
  })
})

test('a shell nobody knows is a usage error that names those there are', async () => {
  const result = await runCli(['completion', 'tcsh'])
  expect(result).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Allowed choices are bash, fish, zsh'),
  })
})
