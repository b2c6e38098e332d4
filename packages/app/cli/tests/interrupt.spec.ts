import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAlive, listDescendants, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bin } from './run-cli.js'

useBaseline()

const WAIT = `const wait = () => new Promise((resolve) => {
  const timer = setInterval(() => undefined, 1_000_000)
  process.once('SIGUSR1', () => { clearInterval(timer); resolve() })
})
`
/** Starts a process, says so, and takes until SIGUSR1 to finish its start. */
const STARTS_SLOWLY = `import { spawn } from 'node:child_process'
${WAIT}export const name = 'starts-slowly'
export async function apply(ctx) {
  ctx.effect(() => {
    const child = spawn('sleep', ['6231'], { stdio: 'ignore' })
    return () => new Promise((resolve) => { child.once('close', resolve); child.kill() })
  })
  console.error('[starting]')
  await wait()
}
`
/** Takes until SIGUSR1 to end. */
const ENDS_SLOWLY = `${WAIT}export const name = 'ends-slowly'
export function apply(ctx) {
  console.error('[started]')
  ctx.effect(() => async () => {
    console.error('[closing]')
    await wait()
  })
}
`

let directory: string
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'cli-interrupt-')))
  const shipped = readFileSync(fileURLToPath(new URL('../cordis.yml', import.meta.url)), 'utf8')
  for (const [name, text] of Object.entries({ 'starts-slowly': STARTS_SLOWLY, 'ends-slowly': ENDS_SLOWLY })) {
    writeFileSync(join(directory, `${name}.mjs`), text)
    writeFileSync(join(directory, `${name}.yml`), `${shipped}\n- id: ${name}\n  name: ./${name}.mjs\n`)
  }
  const calls = [{ tool: 'terminal_open', args: { type: 'shell' }, as: 'shell' }]
  writeFileSync(join(directory, 'script.json'), JSON.stringify({ prompts: [{ steps: [{ calls }], reply: 'done' }] }))
})
afterAll(() => rmSync(directory, { recursive: true }))

const COMMANDS = [
  ['demo'],
  ['doctor'],
  ['acp'],
  ['headless', '--script', 'script.json', 'go'],
  ['mcp'],
  ['mcp', '--http'],
  ['serve'],
  ['serve', '--demo', '--mcp-http'],
] as const

/** Says when the command line begins to load, and lets it wait there. */
const NEVER_LOADED = `import { writeSync } from 'node:fs'
export const resolve = (specifier, context, next) => {
  if (!specifier.endsWith('/dist/index.js')) return next(specifier, context)
  writeSync(2, '[loading]')
  return new Promise((resolve) => setTimeout(resolve, 2_000_000_000))
}
`

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  stderr(): string
}

function start(command: readonly string[], composition: string): Running {
  const [name = '', ...args] = command
  const child = spawn(process.execPath, [bin, name, '--config', `${composition}.yml`, ...args], {
    cwd: directory,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, stderr: () => stderr }
}

const count = (text: string, part: string) => text.split(part).length - 1

async function interruptStart(command: readonly string[], signal: NodeJS.Signals): Promise<void> {
  const { child, ended, stderr } = start(command, 'starts-slowly')
  await waitUntil('it starts', () => stderr().includes('[starting]'))
  const started = listDescendants(child.pid ?? 0)
  expect(started.some(({ command: line }) => line.includes('sleep'))).toBe(true)
  child.kill(signal)
  await waitUntil('it has heard', () => stderr().includes(`agent-terminals: ${signal}: closing what was started.\n`))
  child.kill('SIGUSR1')
  expect(await ended, stderr()).toBe(130)
  expect(started.filter(({ pid }) => isAlive(pid))).toEqual([])
}

describe.each(COMMANDS.map((command) => [command.join(' '), command] as const))('%s', (_, command) => {
  test('ends with 130 and leaves nothing when Ctrl-C comes while it starts', async () => {
    await interruptStart(command, 'SIGINT')
  })

  test('explains a second Ctrl-C while it closes, and closes all the same', async () => {
    const { child, ended, stderr } = start(command, 'ends-slowly')
    await waitUntil('it has started', () => stderr().includes('[started]'))
    child.kill('SIGINT')
    await waitUntil('it closes', () => stderr().includes('[closing]'))
    const started = listDescendants(child.pid ?? 0)
    child.kill('SIGINT')
    await waitUntil('it explains', () => stderr().includes('still closing'))
    child.kill('SIGTERM')
    await waitUntil('it explains again', () => count(stderr(), 'still closing') === 2)
    child.kill('SIGUSR1')
    expect(await ended, stderr()).toBe(130)
    expect(count(stderr(), 'closing what was started')).toBe(1)
    expect(started.filter(({ pid }) => isAlive(pid))).toEqual([])
  })
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s is answered before anything is loaded', async (signal) => {
  writeFileSync(join(directory, 'never-loaded.mjs'), NEVER_LOADED)
  writeFileSync(
    join(directory, 'register.mjs'),
    `import { register } from 'node:module'\nregister('./never-loaded.mjs', import.meta.url)\n`,
  )
  const child = spawn(process.execPath, ['--import', './register.mjs', bin, 'serve'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close')
  await waitUntil('it loads', () => stderr.includes('[loading]'))
  child.kill(signal)
  expect(await ended).toEqual([130, null])
  expect(stderr).toBe(`[loading]agent-terminals: ${signal}: nothing is running.\n`)
})

test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends a start like Ctrl-C', async (signal) => {
  await interruptStart(['serve'], signal)
})
