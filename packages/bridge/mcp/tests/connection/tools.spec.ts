import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDeferred, isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildHouse, call, type House, type Link, openShell, send, textOf } from '../house.js'

useBaseline()

let house: House
let link: Link
beforeAll(async () => {
  house = await buildHouse()
  link = await house.connect()
})
afterAll(() => house.dispose())

describe('tools/list', () => {
  test('lists every registered tool with schemas and honest annotations', async () => {
    const { tools } = await link.client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(
      house.root.tools
        .list()
        .map(({ name }) => name)
        .sort(),
    )
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' })
    }
    const table = Object.fromEntries(
      tools.map(({ name, annotations }) => [
        name,
        [
          annotations?.readOnlyHint,
          annotations?.destructiveHint,
          annotations?.idempotentHint,
          annotations?.openWorldHint,
        ],
      ]),
    )
    expect(table).toEqual({
      terminal_open: [false, false, false, false],
      terminal_send: [false, true, false, true],
      terminal_read: [true, false, true, false],
      terminal_signal: [false, true, false, false],
      terminal_close: [false, true, true, false],
      terminal_list: [true, false, true, false],
      job_output: [true, false, false, false],
      job_kill: [false, true, false, false],
      job_list: [true, false, true, false],
    })
  })

  test('a tool that does not say what it does is announced as able to do everything', async () => {
    const release = house.root.tools.register({
      name: 'silent',
      description: 'says nothing',
      input: z.object({}),
      execute: async () => ({ content: [] }),
    })
    const { tools } = await link.client.listTools()
    expect(tools.find(({ name }) => name === 'silent')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    })
    release()
  })

  test('announces tools that come and go', async () => {
    const changed = createDeferred()
    link.client.fallbackNotificationHandler = async ({ method }) => {
      if (method === 'notifications/tools/list_changed') changed.resolve()
    }
    house.root.tools.register({
      name: 'late',
      description: 'd',
      input: z.object({}),
      execute: async () => ({ content: [] }),
    })()
    await changed.promise
  })
})

describe('tools/call', () => {
  test('structured content mirrors the text and fits the announced schema, through a whole life', async () => {
    const { tools } = await link.client.listTools()
    const ajv = new Ajv2020({ strict: false })
    const schemas = new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema ?? {})]))
    const sessionId = await openShell(link.client, { name: 'life' })
    const steps: readonly [string, Record<string, unknown>][] = [
      ['terminal_send', { sessionId, text: 'echo one; false' }],
      ['terminal_list', {}],
      ['terminal_read', { sessionId }],
      ['terminal_send', { sessionId, text: 'sleep 0.1; echo bg', run_in_background: true }],
      ['job_list', {}],
      ['job_output', { jobId: 'terminal-1', wait: true }],
      ['job_kill', { jobId: 'terminal-1' }],
      ['terminal_signal', { sessionId, signal: 'SIGINT' }],
      ['terminal_close', { sessionId }],
    ]
    for (const [name, args] of steps) {
      const result = await call(link.client, name, args)
      expect(result.isError, `${name}: ${textOf(result)}`).toBeUndefined()
      const validate = schemas.get(name)
      expect(validate?.(result.structuredContent), `${name}: ${JSON.stringify(validate?.errors)}`).toBe(true)
      if (name === 'terminal_send' && 'text' in (result.structuredContent ?? {})) {
        expect(textOf(result)).toContain(String(result.structuredContent?.text))
        expect(result.structuredContent).toMatchObject({ exitCode: 1, waitReason: 'stdin_read', state: 'prompt' })
      }
    }
  })

  test('B101: escape sequences of a program do not reach the client', async () => {
    const sessionId = await openShell(link.client)
    const result = await send(link.client, sessionId, String.raw`printf '\033]0;x\007\033[2J\033P+q\033\\hi\n'`)
    expect(result.structuredContent?.text).toBe('hi\n')
    expect(JSON.stringify(result)).not.toMatch(/\\u00(?:0[0-8bce-f]|1|7f|8|9)/)
    await call(link.client, 'terminal_close', { sessionId })
  })

  test('a directory named after an escape sequence does not reach it either', async () => {
    const sessionId = await openShell(link.client)
    const name = String.raw`$'a\e]0;x\ab\e[2J'`
    await send(link.client, sessionId, `mkdir -p ${house.workspace}/${name}`)
    const moved = await send(link.client, sessionId, `cd ${house.workspace}/${name}`)
    const listed = await call(link.client, 'terminal_list', {})
    const { resources } = await link.client.listResources()
    expect(moved.structuredContent?.cwd).toBe(`${house.workspace}/ab`)
    for (const each of [moved, listed, resources])
      expect(JSON.stringify(each)).not.toMatch(/\\u00(?:0[0-8bce-f]|1|7f|8|9)/)
    await call(link.client, 'terminal_close', { sessionId })
  })

  test('bad arguments are a result that says what is wrong', async () => {
    const result = await call(link.client, 'terminal_send', { sessionId: 'x', txt: 1 })
    expect(result).toMatchObject({ isError: true, _meta: { 'agent-terminals/code': 'INVALID_ARGUMENTS' } })
    expect(textOf(result)).toContain('txt')
  })

  test('an unknown tool is a protocol error', async () => {
    await expect(call(link.client, 'rm_rf', {})).rejects.toMatchObject({
      code: -32602,
      message: 'MCP error -32602: Unknown tool: rm_rf. tools/list names those there are.',
    })
  })

  test('a result that a policy replaced by one without data reaches the client as an error with its text', async () => {
    const release = house.root.tools.hook({
      after: () => ({ action: 'replace', result: { content: [{ type: 'text', text: 'redacted' }] } }),
    })
    const result = await call(link.client, 'terminal_list', {})
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain('redacted')
    release()
  })
})

describe('progress', () => {
  test('output streams to a client that gave a token, without escapes, ever growing', async () => {
    const sessionId = await openShell(link.client)
    const pipe = join(house.workspace, 'pipe')
    await send(link.client, sessionId, `mkfifo ${pipe}`)
    const seen: number[] = []
    const messages: string[] = []
    const result = await link.client.callTool(
      {
        name: 'terminal_send',
        arguments: {
          sessionId,
          text: String.raw`printf '\033[31mfirst\033[0m\n'; cat ${pipe}; printf '10%%\r20%%\r30%%\n'`,
        },
      },
      undefined,
      {
        onprogress({ progress, message = '' }) {
          // The program goes on only when its first line has been seen here.
          if (!messages.join('').includes('first\n') && message.includes('first\n')) void writeFile(pipe, 'second\n')
          seen.push(progress)
          messages.push(message)
        },
      },
    )
    expect(result.structuredContent).toMatchObject({ text: 'first\nsecond\n30%\n' })
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect(messages.join('')).toMatch(/^first\nsecond\n(?:\d0%)*30%\n$/)
    expect(messages.join('')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
    await call(link.client, 'terminal_close', { sessionId })
  })

  test('nothing is sent without a token', async () => {
    const sessionId = await openShell(link.client)
    const methods: string[] = []
    const { client } = link
    client.fallbackNotificationHandler = async ({ method }) => void methods.push(method)
    await send(client, sessionId, 'seq 1 2000')
    await client.ping()
    expect(methods.filter((method) => method === 'notifications/progress')).toEqual([])
    await call(client, 'terminal_close', { sessionId })
  })

  test('a flood is bounded per notification and in all', async () => {
    const { client, connection } = await house.connect({
      config: { progressMessageBytes: 256, progressTotalBytes: 1024, progressIntervalMs: 5 },
    })
    const sessionId = await openShell(client)
    const messages: string[] = []
    await client.callTool(
      { name: 'terminal_send', arguments: { sessionId, text: 'for i in {1..300}; do seq 1 300; done' } },
      undefined,
      {
        onprogress: ({ message = '' }) => messages.push(message),
      },
    )
    const bytes = messages.map((message) => Buffer.byteLength(message))
    expect(Math.max(...bytes)).toBeLessThan(256 + 80)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(1024 + 600)
    expect(messages.join('')).toContain('bytes not shown]')
    await connection.close()
  })

  test('a silent call gives a sign of life', async () => {
    const { client, connection } = await house.connect({ config: { heartbeatMs: 50 } })
    const sessionId = await openShell(client)
    const cancel = new AbortController()
    const alive = createDeferred<string>()
    const sleeping = client.callTool(
      { name: 'terminal_send', arguments: { sessionId, text: 'sleep 600' } },
      undefined,
      { signal: cancel.signal, onprogress: ({ message = '' }) => alive.resolve(message) },
    )
    sleeping.catch(() => undefined)
    expect(await alive.promise).toMatch(/^\[running for \d+ s, no output for \d+ s\]$/)
    cancel.abort('enough')
    await connection.close()
  })
})

describe('cancellation', () => {
  test('interrupts the foreground program and leaves the terminal usable', async () => {
    const sessionId = await openShell(link.client)
    const cancel = new AbortController()
    const started = createDeferred()
    const sending = link.client.callTool(
      {
        name: 'terminal_send',
        arguments: { sessionId, text: 'echo pid $BASHPID; echo job; sleep 600' },
      },
      undefined,
      { signal: cancel.signal, onprogress: ({ message }) => message?.includes('job') && started.resolve() },
    )
    await started.promise
    const listed = async () => {
      const { structuredContent } = await call(link.client, 'terminal_list', {})
      const { sessions } = z
        .object({
          sessions: z.array(
            z.object({ sessionId: z.string(), foreground: z.string().optional(), sending: z.boolean() }),
          ),
        })
        .parse(structuredContent)
      return sessions.find((each) => each.sessionId === sessionId)
    }
    await waitUntil('sleep is in the foreground', async () => (await listed())?.foreground === 'sleep')
    cancel.abort('no longer needed')
    await expect(sending).rejects.toThrow('no longer needed')
    await waitUntil('the send has ended', async () => (await listed())?.sending === false)
    const after = await send(link.client, sessionId, 'echo still here; jobs -r')
    expect(after.structuredContent?.text).toBe('still here\n')
    await call(link.client, 'terminal_close', { sessionId })
  })

  test('other requests are answered while a quiet build runs', async () => {
    const [busy, other] = [await openShell(link.client), await openShell(link.client)]
    const cancel = new AbortController()
    const building = link.client.callTool(
      { name: 'terminal_send', arguments: { sessionId: busy, text: 'sleep 600', timeoutMs: 600_000 } },
      undefined,
      { signal: cancel.signal, timeout: 700_000 },
    )
    building.catch(() => undefined)
    expect((await send(link.client, other, 'echo quick')).structuredContent?.text).toBe('quick\n')
    expect((await link.client.listTools()).tools.length).toBeGreaterThan(6)
    expect((await link.client.readResource({ uri: `terminal://${busy}` })).contents).toHaveLength(1)
    expect(await call(link.client, 'terminal_send', { sessionId: busy, text: 'x' })).toMatchObject({
      isError: true,
      _meta: { 'agent-terminals/code': 'SEND_ACTIVE' },
    })
    cancel.abort('enough')
    await expect(building).rejects.toThrow('enough')
    for (const sessionId of [busy, other]) await call(link.client, 'terminal_close', { sessionId })
  })
})

describe('the end of a connection', () => {
  test('ends its terminals and what runs in them, and is awaited', async () => {
    const { client, connection } = await house.connect()
    const sessionId = await openShell(client)
    const { structuredContent } = await send(client, sessionId, 'nohup sleep 600 >/dev/null 2>&1 & echo $!')
    const pid = Number(/(\d+)\n$/.exec(String(structuredContent?.text))?.[1])
    const running = client.callTool({ name: 'terminal_send', arguments: { sessionId, text: 'sleep 600' } })
    running.catch(() => undefined)
    expect(isAlive(pid)).toBe(true)
    await client.close()
    await connection.ended
    expect(isAlive(pid)).toBe(false)
    expect(house.root.terminals.observers.list().map((each) => each.sessionId)).not.toContain(sessionId)
    await expect(running).rejects.toThrow()
  })

  test('a connection that never called a tool has started no agent', async () => {
    const before = house.root.agents.list().length
    const { client, connection } = await house.connect()
    await client.listTools()
    await client.listResources()
    expect(house.root.agents.list()).toHaveLength(before)
    await connection.close()
  })

  test('a connection that ends while its agent starts leaves none', async () => {
    const before = house.root.agents.list().length
    const { client, connection } = await house.connect()
    const opening = openShell(client)
    opening.catch(() => undefined)
    await client.close()
    await connection.ended
    expect(house.root.agents.list()).toHaveLength(before)
    await expect(opening).rejects.toThrow()
  })
})

test('two connections do not see each other', async () => {
  const [a, b] = [await house.connect(), await house.connect()]
  const id = await openShell(a.client, { name: 'secret' })
  await send(a.client, id, 'echo hidden')
  await openShell(b.client, { name: 'secret' })
  expect(textOf(await call(b.client, 'terminal_list', {}))).not.toContain(id)
  expect((await b.client.listResources()).resources.map(({ uri }) => uri)).not.toContain(`terminal://${id}`)
  await expect(b.client.readResource({ uri: `terminal://${id}` })).rejects.toMatchObject({ code: -32002 })
  await expect(b.client.subscribeResource({ uri: `terminal://${id}` })).rejects.toMatchObject({ code: -32002 })
  for (const [name, args] of [
    ['terminal_send', { text: 'x' }],
    ['terminal_read', {}],
    ['terminal_signal', { signal: 'SIGINT' }],
    ['terminal_close', {}],
  ] as const) {
    expect(await call(b.client, name, { sessionId: id, ...args }), name).toMatchObject({
      isError: true,
      _meta: { 'agent-terminals/code': 'UNKNOWN_SESSION' },
    })
  }
  await b.connection.close()
  expect(textOf(await call(a.client, 'terminal_list', {}))).toContain(id)
  await a.connection.close()
})
