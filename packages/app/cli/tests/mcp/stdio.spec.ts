import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, listDescendants, readProcesses, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { INTERRUPTED_WORDS, runCli } from '../run-cli.js'
import { bin, call, connectStdio, openShell, textOf } from './mcp-server.js'

useBaseline()

let base: string
let workspace: string
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-cli-')))
  workspace = join(base, 'workspace')
  mkdirSync(workspace)
})
afterAll(() => rmSync(base, { recursive: true }))

/** A server without an SDK before it: what goes in and comes out, byte for byte. */
function startRaw(args: readonly string[] = []) {
  const child = spawn(process.execPath, [bin, 'mcp', ...args], { cwd: workspace })
  const exited = once(child, 'close')
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return {
    child,
    exited,
    stderr: () => stderr,
    stdout: () => stdout,
    lines: () => stdout.split('\n').filter((line) => line !== ''),
    /** Read on until so many lines have come. */
    countLines: (wanted: number) =>
      new Promise<void>((resolve) => {
        let seen = stdout.split('\n').length - 1
        child.stdout.on('data', (chunk: Buffer) => {
          seen += chunk.toString().split('\n').length - 1
          if (seen >= wanted) resolve()
        })
        child.stdout.resume()
      }),
    say: (message: unknown) =>
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    answer: (id: number) => waitUntil(`request ${id} is answered`, () => stdout.includes(`"id":${id}`)),
  }
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

describe('by default', () => {
  test('terminals start in the working directory and may write there, and nowhere else', async () => {
    const server = await connectStdio(workspace)
    const sessionId = await openShell(server.client)
    const outside = join(base, 'escaped')
    const result = await call(server.client, 'terminal_send', { sessionId, text: `pwd; touch in ${outside}` })
    expect(result.structuredContent?.text).toContain(`${workspace}\n`)
    expect([existsSync(join(workspace, 'in')), existsSync(outside)]).toEqual([true, false])
    await server.close()
  })

  test('the end of the input ends the command with 0, silently, with everything it started', async () => {
    const raw = startRaw()
    raw.say(initialize)
    raw.say({ jsonrpc: '2.0', method: 'notifications/initialized' })
    raw.say({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'terminal_open', arguments: { type: 'shell' } },
    })
    await raw.answer(2)
    const started = listDescendants(raw.child.pid ?? 0)
    expect(started.length).toBeGreaterThan(0)
    raw.child.stdin.end()
    expect(await raw.exited).toEqual([0, null])
    for (const line of raw.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    expect(started.filter(({ pid }) => isAlive(pid))).toEqual([])
  })
})

describe('options', () => {
  test('--root is the workspace, wherever the server starts', async () => {
    const server = await connectStdio(base, ['--root', 'workspace'])
    const sessionId = await openShell(server.client)
    const { structuredContent } = await call(server.client, 'terminal_send', {
      sessionId,
      text: `pwd; touch ${join(base, 'up')}`,
    })
    expect(structuredContent?.text).toContain(`${workspace}\n`)
    expect(existsSync(join(base, 'up'))).toBe(false)
    await server.close()
  })

  test.each([
    ['read-only', false, false],
    ['danger-full-access', true, true],
  ] as const)('--sandbox %s', async (mode, inside, outside) => {
    const server = await connectStdio(workspace, ['--sandbox', mode])
    const sessionId = await openShell(server.client)
    const [a, b] = [join(workspace, `a-${mode}`), join(base, `b-${mode}`)]
    await call(server.client, 'terminal_send', { sessionId, text: `touch ${a}; touch ${b}` })
    expect([existsSync(a), existsSync(b)]).toEqual([inside, outside])
    await server.close()
  })

  test.each([
    [
      'a mode nobody knows',
      ['--sandbox', 'none'],
      2,
      /Allowed choices are read-only, workspace-write, danger-full-access/,
    ],
    ['a root that is not there', ['--root', '/ghost'], 2, /--root \/ghost is not an existing directory/],
    ['everything as workspace', ['--root', '/'], 1, /The workspace would be \/.*--root DIR/],
    ['an address that is none', ['--http', 'a:b:c'], 2, /The address a:b:c is neither PORT nor HOST nor HOST:PORT/],
    ['an address others can reach', ['--http', '0.0.0.0:0'], 2, /0\.0\.0\.0 is not a loopback address.*--allow-remote/],
    ['a missing composition', ['--config', '/ghost.yml'], 1, /There is no composition at \/ghost\.yml/],
  ] as const)('%s is refused in words, with nothing on standard output', async (_, args, code, message) => {
    const result = await runCli(['mcp', ...args], { cwd: workspace })
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' })
    expect(result.stderr).toMatch(message)
    expect(result.stderr).not.toMatch(/^ +at /m)
  })

  test('no runner that works: the command says why, and which flag to choose', async () => {
    const config = join(base, 'no-runner.yml')
    const { readFileSync, writeFileSync } = await import('node:fs')
    const shipped = readFileSync(new URL('../../cordis.yml', import.meta.url), 'utf8')
    writeFileSync(config, shipped.replace(/(sandbox\/runner["'])/, '$1\n  config:\n    runners: [seatbelt]'))
    const result = await runCli(['mcp', '--config', config], { cwd: workspace })
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(
      /Mode workspace-write cannot be provided here.*seatbelt.*--sandbox danger-full-access/s,
    )
  })
})

describe('calls', () => {
  test('cancelling interrupts `sleep 600`, and the terminal goes on', async () => {
    const server = await connectStdio(workspace)
    const sessionId = await openShell(server.client)
    const cancel = new AbortController()
    const sleeping = server.client.callTool(
      { name: 'terminal_send', arguments: { sessionId, text: 'echo $$; sleep 600' } },
      undefined,
      { signal: cancel.signal },
    )
    sleeping.catch(() => undefined)
    const sleeps = () => listDescendants(server.pid).filter(({ command }) => command === 'sleep')
    await waitUntil('sleep runs', () => sleeps().length === 1)
    cancel.abort('stop')
    await expect(sleeping).rejects.toThrow('stop')
    await waitUntil('sleep is gone', () => sleeps().length === 0)
    await waitUntil('the send is over', async () => {
      const { structuredContent } = await call(server.client, 'terminal_list', {})
      return JSON.stringify(structuredContent).includes('"sending":false')
    })
    expect(textOf(await call(server.client, 'terminal_send', { sessionId, text: 'echo on' }))).toContain('on')
    await server.close()
  })

  test('two servers of two clients do not see each other', async () => {
    const [a, b] = [await connectStdio(workspace), await connectStdio(workspace)]
    const sessionId = await openShell(a.client)
    expect(textOf(await call(b.client, 'terminal_list', {}))).not.toContain(sessionId)
    expect(await call(b.client, 'terminal_read', { sessionId })).toMatchObject({ isError: true })
    await Promise.all([a.close(), b.close()])
  })
})

describe('bad input', () => {
  test('lines that are no messages are passed over and the connection lives on', async () => {
    const raw = startRaw()
    raw.say(initialize)
    await raw.answer(1)
    for (const line of ['{', 'null', '[]', '{"jsonrpc":"1.0","id":5,"method":"ping"}', '\u0000\u001b[2J', '"x"'])
      raw.say(line)
    raw.say({ jsonrpc: '2.0', id: 2, method: 'ping' })
    await raw.answer(2)
    raw.say({ jsonrpc: '2.0', id: 3, method: 'no/such' })
    await raw.answer(3)
    expect(JSON.parse(raw.lines().at(-1) ?? '')).toMatchObject({ id: 3, error: { code: -32601 } })
    raw.child.stdin.end()
    expect(await raw.exited).toEqual([0, null])
    expect(raw.stderr(), 'what is quoted of a line is clean').not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
  })

  test('a client that reads late gets every answer, and one that never reads does not keep the server', async () => {
    const raw = startRaw()
    raw.say(initialize)
    await raw.answer(1)
    raw.child.stdout.pause()
    // More than pipes hold, and more than the server keeps for a client.
    const ids = Array.from({ length: 600 }, (_, index) => index + 2)
    for (const id of ids) raw.say({ jsonrpc: '2.0', id, method: 'tools/list' })
    await raw.countLines(1 + ids.length)
    expect(raw.lines().map((line) => z.object({ id: z.int() }).parse(JSON.parse(line)).id)).toEqual([1, ...ids])

    raw.child.stdout.pause()
    raw.child.stdin.on('error', () => undefined)
    for (const id of ids) raw.say({ jsonrpc: '2.0', id: 10_000 + id, method: 'tools/list' })
    raw.child.kill('SIGTERM')
    await once(raw.child, 'exit')
    expect(raw.child.exitCode).toBe(130)
    expect(raw.stderr()).toBe(INTERRUPTED_WORDS)
    raw.child.stdout.resume()
    raw.child.stdin.destroy()
    await raw.exited
  })

  test('a message beyond the limit ends the connection instead of filling the memory', async () => {
    const raw = startRaw()
    raw.say(initialize)
    await raw.answer(1)
    raw.child.stdin.on('error', () => undefined)
    raw.child.stdin.write('x'.repeat(5_000_000))
    expect(await raw.exited).toEqual([0, null])
  })
})

describe('ends', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s closes everything and ends with 130', async (signal) => {
    const raw = startRaw()
    raw.say(initialize)
    raw.say({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'terminal_open', arguments: { type: 'shell' } },
    })
    await raw.answer(2)
    const started = listDescendants(raw.child.pid ?? 0)
    raw.child.kill(signal)
    expect(await raw.exited).toEqual([130, null])
    expect(started.filter(({ pid }) => isAlive(pid))).toEqual([])
  })

  test('a client that closes its end of the output ends the server at its next message', async () => {
    const raw = startRaw()
    raw.say(initialize)
    await raw.answer(1)
    raw.child.stdin.on('error', () => undefined)
    raw.child.stdout.destroy()
    raw.say({ jsonrpc: '2.0', id: 2, method: 'ping' })
    expect(await raw.exited).toEqual([0, null])
  })

  test('kill -9 of the client, a long command running, leaves nothing', async () => {
    // The client is a process of its own, with the server as its child.
    const client = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
const transport = new StdioClientTransport({ command: process.execPath, args: [${JSON.stringify(bin)}, 'mcp'], cwd: ${JSON.stringify(workspace)}, stderr: 'ignore' })
const client = new Client({ name: 'doomed', version: '1' })
await client.connect(transport)
const { structuredContent } = await client.callTool({ name: 'terminal_open', arguments: { type: 'shell' } })
void client.callTool({ name: 'terminal_send', arguments: { sessionId: structuredContent.sessionId, text: 'nohup setsid sleep 6171 & sleep 6172' } })
console.log(transport.pid)
`,
      ],
      { cwd: new URL('.', import.meta.url), stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [chunk] = (await once(client.stdout, 'data')) as [Buffer]
    const serverPid = Number(chunk.toString())
    const sleeps = () => listDescendants(serverPid).filter(({ command }) => command === 'sleep')
    await waitUntil('both sleeps run', () => sleeps().length === 2)
    const started = listDescendants(serverPid).map(({ pid }) => pid)
    client.kill('SIGKILL')
    await once(client, 'close')
    await waitUntil('the server has ended', () => !isAlive(serverPid))
    await waitUntil('everything it started has ended', () => !started.some(isAlive))
    expect(readProcesses().filter(({ pid }) => started.includes(pid) && isAlive(pid))).toEqual([])
  })
})
