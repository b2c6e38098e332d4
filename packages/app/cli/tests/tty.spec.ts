/** The command line as a person types it: in a real interactive bash, on a real terminal. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@agent-terminals/agents/contract'
import type { TerminalSessionId } from '@agent-terminals/terminal'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bin } from './run-cli.js'
import { createContext, mountShell } from './shell-context.js'

useBaseline()

const CTRL_C = '\u0003'

let ctx: Context
let agent: Agent
let id: TerminalSessionId
let directory: string
beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'cli-tty-')))
  ctx = await createContext()
  await mountShell(ctx)
  agent = await ctx.agents.create({ cwd: directory })
  const size = { columns: 250, rows: 50 }
  id = (await ctx.terminals.spawn(agent, { type: 'shell', size })).sessionId
})
afterEach(async () => {
  await ctx.fiber.dispose()
  rmSync(directory, { recursive: true })
})

const screen = () => ctx.terminals.observers.read(id, { lines: 500 }).text
const type = (text: string) => ctx.terminals.observers.input(id, 'person', text, { holder: 'any' })
const run = (command: string) => type(`'${process.execPath}' '${bin}' ${command}\r`)
const count = (part: string) => screen().split(part).length - 1
const shows = (text: string) => waitUntil(`the screen shows ${text}`, () => screen().includes(text))
const linksAre = (number: number) => waitUntil(`${number} links`, () => count('#link=') === number)

/** The exit code of the command before. */
async function tellsCode(code: number): Promise<void> {
  await type('echo "code $?"\r')
  await waitUntil('the code is told', () => /^code \d+$/m.test(screen()))
  expect(screen()).toMatch(new RegExp(`^code ${code}$`, 'm'))
}

test('Enter prints another link, and Ctrl-C says that it closes and that nothing is left', async () => {
  await run('serve')
  await shows('The link opens one page, once. Enter prints another. Ctrl-C ends everything.')
  await type('\r')
  await linksAre(2)
  await type('whatever\r')
  await linksAre(3)
  await type(CTRL_C)
  await shows('agent-terminals: closed; nothing is left running.')
  expect(count('agent-terminals: SIGINT: closing what was started.')).toBe(1)
  await tellsCode(130)
})

/** Whatever is typed now is for bash, and bash says how its job is. */
async function isNotStopped(): Promise<void> {
  await type('\r')
  await type('echo "jo"bs; jobs; echo "to"ld\r')
  await waitUntil('bash has told', () => /^told$/m.test(screen()))
  expect(screen()).toMatch(/^jobs\n\[1\]\+? +Running/m)
}

test('a server in the background is not stopped by what is typed, and says how to ask it', async () => {
  await run('serve &')
  await shows('The link opens one page, once. kill -USR2 ')
  await isNotStopped()
  await type('kill -USR2 %1\r')
  await linksAre(2)
  await type('fg\r')
  await waitUntil('it is in the foreground', () => /fg\n[^\n]*serve$/.test(screen()))
  await type(CTRL_C)
  await shows('agent-terminals: closed; nothing is left running.')
})

test('a server that is stopped and sent to the background stays there', async () => {
  await run('serve')
  await shows('Enter prints another.')
  await type('\u001a')
  await shows('Stopped')
  await type('bg\r')
  // Once it answers it has been continued, and knows where it is.
  expect((await fetch(/http:\S+/.exec(screen())?.[0] ?? '')).status).toBe(200)
  await isNotStopped()
  await type('kill %1\r')
  await shows('agent-terminals: closed; nothing is left running.')
})

test.each([
  ['mcp', 'waiting for a client on standard input: an MCP client starts this command (docs/mcp.md). Ctrl-C ends it.'],
  [
    'acp',
    'waiting for a client on standard input: an editor that speaks ACP starts this command (docs/acp.md). Ctrl-C ends it.',
  ],
])('%s says whom it waits for when a person starts it, and ends with Ctrl-C', async (command, words) => {
  await run(command)
  await shows(words)
  await type(CTRL_C)
  await shows('agent-terminals: closed; nothing is left running.')
  await tellsCode(130)
})

test('a terminal that is closed takes the server with it', async () => {
  await run('serve --demo')
  await linksAre(1)
  await ctx.terminals.close(agent, id)
  expect(await ctx.terminals.observers.list()).toEqual([])
})
