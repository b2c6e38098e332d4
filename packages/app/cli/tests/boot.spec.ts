import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CliResult, runCli } from './run-cli.js'

useBaseline()

const shipped = readFileSync(fileURLToPath(new URL('../cordis.yml', import.meta.url)), 'utf8')
let directory: string
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'boot-')))
})
afterAll(() => rmSync(directory, { recursive: true }))

function demoWith(composition: string): Promise<CliResult> {
  const file = join(directory, 'cordis.yml')
  writeFileSync(file, composition)
  return runCli(['demo', '--config', file])
}

describe('a composition that cannot start ends the command with 1 and says why', () => {
  test.each([
    [
      'a field of the wrong type',
      shipped.replace('timeoutMs: 30000', 'timeoutMs: soon'),
      /@agent-terminals\/terminal-bash: .*timeoutMs/s,
    ],
    [
      'a field that does not exist',
      shipped.replace('maxResultBytes', 'maxBytes'),
      /@agent-terminals\/tool-terminal: .*maxBytes/s,
    ],
    [
      'a value below its minimum',
      shipped.replace('maxResultBytes: 262144', 'maxResultBytes: 63'),
      /@agent-terminals\/tool-terminal: .*maxResultBytes/s,
    ],
    [
      'a plugin that cannot be found',
      `${shipped}\n- id: ghost\n  name: '@agent-terminals/ghost'\n`,
      /@agent-terminals\/ghost: cannot be loaded: .*ghost/s,
    ],
    [
      'a service nobody provides',
      shipped.replace(/- id: tools\n.*\n/, ''),
      /@agent-terminals\/tool-terminal: waits for ctx\.tools; add a plugin that provides it/,
    ],
    ['text that is no YAML', 'plugins: [', /cordis\.yml cannot be read/],
    ['a file that is no list', 'plugins: {}', /cordis\.yml cannot be read: .*top-level array/],
    [
      'an entry the command needs and does not find',
      shipped.replace('- id: agent-loop', '- id: loop'),
      /has no entry with the id agent-loop/,
    ],
  ])('%s', async (_, composition, message) => {
    const { code, stdout, stderr } = await demoWith(composition)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('a file that does not exist', async () => {
    const { code, stderr } = await runCli(['demo', '--config', join(directory, 'none.yml')])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `agent-terminals: There is no composition at ${join(directory, 'none.yml')}. Name one with --config FILE.\n`,
    })
  })
})

test('starting a composition does not rewrite its file', async () => {
  const text = shipped.replace('timeoutMs: 30000', 'timeoutMs: soon')
  await demoWith(text)
  expect(readFileSync(join(directory, 'cordis.yml'), 'utf8')).toBe(text)
})

describe('the command line', () => {
  test('shows its help and its version', async () => {
    const help = await runCli(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('demo')
    expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  test.each([
    ['an unknown command', ['dance']],
    ['an unknown option', ['demo', '--fast']],
    ['an option without its value', ['demo', '--config']],
    ['no command', []],
  ])('%s is a usage error with code 2 and a pointer to the help', async (_, args) => {
    const { code, stderr } = await runCli(args)
    expect(code).toBe(2)
    expect(stderr).toMatch(/agent-terminals --help|Usage: agent-terminals/)
  })
})
