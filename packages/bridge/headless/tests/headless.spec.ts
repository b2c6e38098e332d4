import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as agentLoop from '@agent-terminals/agent-loop'
import * as agents from '@agent-terminals/agents'
import { useBaseline } from '@agent-terminals/testing'
import * as tools from '@agent-terminals/tools'
import { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { EXIT_CODES, exitCodeOf, runHeadless } from '../src/index.js'

useBaseline()

const script: agentLoop.ScriptInput = {
  prompts: [{ reply: 'one' }, { steps: [{ calls: [{ tool: 'wait' }] }], reply: 'two' }],
}

let ctx: Context
let lines: string[]
const cancel = { controller: new AbortController() }
beforeEach(async () => {
  lines = []
  cancel.controller = new AbortController()
  ctx = new Context()
  await ctx.plugin(agents, {})
  await ctx.plugin(tools, tools.Config.parse({}))
  await ctx.plugin(agentLoop, agentLoop.Config.parse({ model: { kind: 'script', script } }))
  ctx.tools.register({
    name: 'wait',
    description: 'Wait until cancelled.',
    input: z.strictObject({}),
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  })
})
afterEach(() => ctx.fiber.dispose())

const run = (...prompts: string[]) =>
  runHeadless(ctx, {
    cwd: process.cwd(),
    prompts,
    signal: cancel.controller.signal,
    write: (line) => {
      lines.push(line)
      if (line.includes('"tool/call"')) cancel.controller.abort(new Error('enough'))
    },
  })
const types = () => lines.map((line) => (JSON.parse(line) as { type: string }).type)

test('every event is one line, the first one included', async () => {
  expect(await run('a')).toEqual({ kind: 'completed', text: 'one' })
  expect(types()).toEqual(['session/started', 'message/user', 'model/usage', 'message/agent', 'turn/ended'])
  for (const line of lines) expect(line.slice(0, -1)).not.toContain('\n')
})

test('a cancelled prompt is the last one that runs, and its agent is gone', async () => {
  expect(await run('a', 'b', 'c')).toEqual({ kind: 'cancelled' })
  expect(types().filter((type) => type === 'message/user')).toHaveLength(2)
  expect(ctx.agents.list()).toEqual([])
})

test('a directory that does not exist is refused before anything is written', async () => {
  const options = { cwd: '/nowhere/at/all', prompts: ['a'], signal: cancel.controller.signal, write: () => undefined }
  await expect(runHeadless(ctx, options)).rejects.toMatchObject({ code: 'CWD_INVALID' })
})

test('every outcome has the exit code that the page on it lists', () => {
  const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8')
  const listed = [...readme.matchAll(/^\| ([a-z-]+)(?: \(.*\))? *\| *(\d+) *\|$/gm)].map(([, kind, code]) => [
    kind,
    Number(code),
  ])
  expect(Object.fromEntries(listed)).toEqual(EXIT_CODES)
  expect(exitCodeOf({ kind: 'step-limit', steps: 3 })).toBe(3)
})
