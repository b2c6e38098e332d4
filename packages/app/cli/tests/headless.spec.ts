import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from './run-cli.js'

useBaseline()

let directory: string
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'cli-headless-')))
})
afterAll(() => rmSync(directory, { recursive: true }))

const OPEN = { tool: 'terminal_open', args: { type: 'shell' }, as: 'shell' }
const send = (text: string, expected?: object) => ({
  tool: 'terminal_send',
  args: { sessionId: '${shell.sessionId}', text },
  ...(expected ? { expect: expected } : {}),
})

function writeScript(prompts: readonly (readonly object[])[]): string {
  const file = join(directory, `script-${Math.random().toString(36).slice(2)}.json`)
  const steps = (calls: readonly object[]) => calls.map((call) => ({ calls: [call] }))
  writeFileSync(file, JSON.stringify({ prompts: prompts.map((calls) => ({ steps: steps(calls), reply: 'done' })) }))
  return file
}

interface Line {
  readonly seq: number
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}
const parse = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

test('every event of the session is one line of JSON, in order, and a good end is 0', async () => {
  const script = writeScript([[OPEN, send('echo one')], [send('echo two')]])
  const { code, stdout, stderr } = await runCli(['headless', '--script', script, 'first', 'second'], { cwd: directory })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = parse(stdout)
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1))
  const types = lines.map(({ type }) => type).filter((type) => type !== 'model/usage' && type !== 'tool/progress')
  const call = ['tool/call', 'tool/result']
  expect(types).toEqual([
    'session/started',
    'message/user',
    ...call,
    ...call,
    'message/agent',
    'turn/ended',
    'message/user',
    ...call,
    'message/agent',
    'turn/ended',
  ])
})

test('a failed turn ends with 1, and the prompts after it do not run', async () => {
  const script = writeScript([[OPEN, send('(exit 3)', { structured: { exitCode: 0 } })], []])
  const { code, stdout } = await runCli(['headless', '--script', script, 'first', 'second'], { cwd: directory })
  expect(code).toBe(1)
  const lines = parse(stdout)
  expect(lines.at(-1)).toMatchObject({ type: 'turn/ended', data: { outcome: { code: 'SCRIPT_MISMATCH' } } })
  expect(lines.filter(({ type }) => type === 'message/user')).toHaveLength(1)
})

test('SIGINT cancels the turn, ends what it started and gives 130', async () => {
  const script = writeScript([[OPEN, send('echo begun; sleep 300')]])
  let sent = false
  const { code, stdout } = await runCli(['headless', '--script', script, 'go'], {
    cwd: directory,
    onOutput(soFar, kill) {
      if (sent || !/"type":"tool\/progress".*begun/.test(soFar)) return
      sent = true
      kill('SIGINT')
    },
  })
  expect(code).toBe(130)
  expect(parse(stdout).at(-1)).toMatchObject({ type: 'turn/ended', data: { outcome: { kind: 'cancelled' } } })
})

test('a recorded run replays, with the ids of its own terminals', async () => {
  const script = writeScript([[OPEN, send('echo one')]])
  const recorded = join(directory, 'recorded.json')
  const first = await runCli(['headless', '--script', script, '--record', recorded, 'go'], { cwd: directory })
  const second = await runCli(['headless', '--script', recorded, 'go'], { cwd: directory })
  expect([first.code, second.code]).toEqual([0, 0])
  const texts = (stdout: string) =>
    parse(stdout).flatMap(({ type, data }) =>
      type === 'tool/result' ? [(data.result as { content: unknown }).content] : [],
    )
  expect(texts(second.stdout).at(-1)).toEqual(texts(first.stdout).at(-1))
  expect(texts(second.stdout)).not.toEqual(texts(first.stdout))
})

test('no prompt is a usage error', async () => {
  expect(await runCli(['headless'])).toMatchObject({ code: 2, stdout: '' })
})

test.each([
  ['the prompt', [''], 'The prompt is empty.'],
  ['one of several prompts', ['go', ' \n'], 'Prompt 2 of 2 is empty.'],
])('%s that says nothing is a usage error before anything runs', async (_title, prompts, words) => {
  const { code, stdout, stderr } = await runCli(['headless', '--script', writeScript([[], []]), ...prompts])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe(`agent-terminals: ${words} Say what the agent is to do.\n`)
})

test('a record that cannot be written is a usage error before anything runs', async () => {
  const file = join(directory, 'none', 'record.json')
  const { code, stdout, stderr } = await runCli(['headless', '--record', file, 'go'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^agent-terminals: --record .*record\.json cannot be written: ENOENT.*\. Name a file .*\n$/)
})

test('a run that does not start leaves the record as it was', async () => {
  const [fresh, kept] = [join(directory, 'fresh.json'), join(directory, 'kept.json')]
  writeFileSync(kept, 'of a run before')
  for (const file of [fresh, kept]) {
    const { code } = await runCli(['headless', '--config', join(directory, 'none.yml'), '--record', file, 'go'])
    expect(code).toBe(1)
  }
  expect(existsSync(fresh)).toBe(false)
  expect(readFileSync(kept, 'utf8')).toBe('of a run before')
})

test('a script that cannot be read fails the start and names the file', async () => {
  const { code, stdout, stderr } = await runCli(['headless', '--script', join(directory, 'none.json'), 'go'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(join(directory, 'none.json'))
})
