import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, test } from 'vitest'
import { EXIT_CODES, EXIT_MEANINGS } from '../src/exit-codes.js'
import { createProgram } from '../src/program.js'
import { runCli } from './run-cli.js'

useBaseline()

const page = readFileSync(fileURLToPath(new URL('../../../../docs/cli.md', import.meta.url)), 'utf8')
const { commands } = createProgram(() => undefined)
const COMPOSED = commands.filter((command) => command.name() !== 'completion').map((command) => command.name())

describe.each(commands.map((command) => [command.name(), command] as const))('%s', (name, command) => {
  test('has a help with an example, and every option of it in docs/cli.md', async () => {
    const { code, stdout, stderr } = await runCli([name, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`Examples?:\\n {2}.*agent-terminals ${name}`))
    for (const { long } of command.options) expect(page).toContain(`\`${long}`)
  })

  test('refuses an unknown option with a pointer to the help', async () => {
    const { code, stdout, stderr } = await runCli([name, '--no-such-option'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/error: unknown option '--no-such-option'\n.*--help/)
  })
})

describe.each(COMPOSED.map((name) => [name]))('%s', (name) => {
  const more = name === 'headless' ? ['go'] : []

  test('says in one line that a composition is not there', async () => {
    const { code, stdout, stderr } = await runCli([name, '--config', '/ghost.yml', ...more])
    expect(code).toBe(1)
    expect(`${stdout}${stderr}`).toContain('There is no composition at /ghost.yml. Name one with --config FILE.')
    if (name !== 'doctor')
      expect({ stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ stdout: '', lines: 1 })
  })
})

test.each([
  [['--verbose', 'headless', 'go', '--config', '/ghost.yml']],
  [['headless', 'go', '--config', '/ghost.yml', '--verbose']],
])('%j shows the stack', async (args) => {
  const { code, stderr } = await runCli(args)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^\s+at /m)
})

test('the exit codes are in the help and in docs/cli.md', async () => {
  expect(EXIT_MEANINGS.map(([code]) => code)).toEqual(Object.values(EXIT_CODES))
  const { stdout } = await runCli(['--help'])
  for (const [code, meaning] of EXIT_MEANINGS) {
    expect(stdout).toContain(`  ${String(code).padEnd(4)} ${meaning}\n`)
    expect(page).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'))
  }
})
