import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from './run-cli.js'

useBaseline()

let directory: string
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'cli-closed-stdout-')))
})
afterAll(() => rmSync(directory, { recursive: true }))

describe('a standard output that nobody reads any more', () => {
  it('ends headless with 141, in the middle of a turn, without a stack and without leftovers', async () => {
    const script = join(directory, 'script.json')
    const sessionId = '${shell.sessionId}'
    const calls = [
      { tool: 'terminal_open', args: { type: 'shell' }, as: 'shell' },
      { tool: 'terminal_send', args: { sessionId, text: 'echo begun; sleep 300' } },
    ]
    const steps = calls.map((call) => ({ calls: [call] }))
    writeFileSync(script, JSON.stringify({ prompts: [{ steps, reply: 'done' }] }))
    const result = await runCli(['headless', '--script', script, 'go'], { cwd: directory, closeStdoutAfter: 1 })
    expect(result).toMatchObject({ code: 141, signal: null, stderr: '' })
  })

  it('ends the demo with 141', async () => {
    expect(await runCli(['demo'], { closeStdoutAfter: 1 })).toMatchObject({ code: 141, signal: null, stderr: '' })
  })

  it.each([['doctor'], ['serve'], ['mcp', '--http']])('ends %s with 141', async (...args) => {
    const result = await runCli(args, { cwd: directory, closeStdoutAfter: 0 })
    expect(result).toMatchObject({ code: 141, signal: null, stderr: '' })
  })
})
