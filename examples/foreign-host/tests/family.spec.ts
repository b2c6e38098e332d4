import { readFileSync } from 'node:fs'
import type { Agent } from '@agent-terminals/agents/contract'
import { isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import type { ToolResult } from '@agent-terminals/tools/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildForeignHouse } from './house.js'

useBaseline()

let house: Awaited<ReturnType<typeof buildForeignHouse>>
beforeAll(async () => {
  house = await buildForeignHouse()
})
afterAll(() => house.dispose())

const textOf = ({ content }: ToolResult) => content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

async function open(agent: Agent): Promise<string> {
  const { structured } = await house.tools.call(agent, 'terminal_open', { type: 'shell' })
  return String(structured?.sessionId)
}

it('registers its six tools', () => {
  expect(house.tools.names()).toEqual([
    'terminal_open',
    'terminal_send',
    'terminal_read',
    'terminal_signal',
    'terminal_close',
    'terminal_list',
  ])
})

it('keeps a shell alive from call to call, and sees the end of each command by its own prompt marks', async () => {
  const agent = await house.createAgent()
  const sessionId = await open(agent)
  const send = (text: string, more = {}) => house.tools.call(agent, 'terminal_send', { sessionId, text, ...more })
  expect(textOf(await send('X=7; sleep 0.2; echo $X; (exit 3)'))).toBe('7\n[exit 3]')
  expect(textOf(await send(`echo ${'long '.repeat(1_000)} | wc -w`))).toBe('1000\n')
  expect((await send('echo up; sleep 60', { timeoutMs: 300 })).structured).toMatchObject({ waitReason: 'timeout' })
  await house.tools.call(agent, 'terminal_signal', { sessionId, signal: 'SIGINT' })
  await send('', { submit: false })
  house.root.terminals.observers.resize(house.root.terminals.list(agent)[0]?.sessionId as never, {
    columns: 90,
    rows: 9,
  })
  expect(textOf(await send('stty size'))).toBe('9 90\n')
  expect(textOf(await house.tools.call(agent, 'terminal_read', { sessionId, lines: 3 }))).toContain('stty size')
  expect(textOf(await house.tools.call(agent, 'terminal_list', {}))).toContain(sessionId)
  await send('sleep 60', { timeoutMs: 300 })
  await house.tools.call(agent, 'terminal_signal', { sessionId, signal: 'SIGKILL' })
  expect((await send('', { submit: false })).structured).toMatchObject({ state: 'prompt', exitCode: 137 })
  expect(textOf(await send('exit 5'))).toContain('5')
  await house.tools.call(agent, 'terminal_close', { sessionId })
  await house.agents.end(agent)
})

it('interrupts the program of a cancelled send', async () => {
  const agent = await house.createAgent()
  const sessionId = await open(agent)
  const controller = new AbortController()
  const reason = new Error('enough')
  const release = house.root.on('terminal/event', (_id, event) => {
    if (event.type === 'data' && Buffer.from(event.bytes).toString().includes('up\r\n')) controller.abort(reason)
  })
  const sending = house.tools.call(agent, 'terminal_send', { sessionId, text: 'echo up; sleep 60' }, controller.signal)
  await expect(sending).rejects.toBe(reason)
  release()
  expect(textOf(await house.tools.call(agent, 'terminal_send', { sessionId, text: 'echo next' }))).toContain('next')
  await house.agents.end(agent)
})

it('hands background sends to the foreign jobs', async () => {
  const agent = await house.createAgent()
  const sessionId = await open(agent)
  const { structured } = await house.tools.call(agent, 'terminal_send', {
    sessionId,
    text: 'echo out; sleep 0.2; (exit 4)',
    run_in_background: true,
  })
  expect(structured).toMatchObject({ jobId: 'terminal-1' })
  expect(await house.jobs.settlements[0]).toMatchObject({ status: 'failed' })
  await house.agents.end(agent)
})

it('starts confined by the foreign policy, keeps the fence, and releases the confinement', async () => {
  const agent = await house.createAgent()
  house.policy.setMode(agent.session, 'workspace-write')
  const sessionId = await open(agent)
  expect(textOf(await house.tools.call(agent, 'terminal_send', { sessionId, text: 'echo $CONFINED' }))).toBe(
    'workspace-write\n',
  )
  expect(() => house.policy.setMode(agent.session, 'danger-full-access')).toThrow(/close/i)
  await house.tools.call(agent, 'terminal_close', { sessionId })
  expect(house.sandbox.released).toEqual(['workspace-write'])
  expect(() => house.policy.setMode(agent.session, 'danger-full-access')).not.toThrow()
  await house.agents.end(agent)
})

it('ends everything with the agent, and tells it what could not be ended', async () => {
  const agent = await house.createAgent()
  await open(agent)
  const [session] = house.root.terminals.list(agent)
  const handle = house.opened.at(-1)
  if (!session || !handle) throw new Error('no terminal')
  const { terminate } = handle
  handle.terminate = async () => {
    handle.terminate = terminate
    throw new Error('would not end')
  }
  await house.agents.end(agent)
  expect(String(house.agents.failures[0])).toContain('would not end')
  await house.root.terminals.observers.close(session.sessionId)
  await waitUntil('the shell has gone', () => !isAlive(session.pid))
})

// Runs last: it looks at what all of the above has asked for.
it('needs every member that the foreign host has, and no more than docs/embedding.md says', () => {
  const { recorder } = house
  expect(recorder.unused).toEqual([])
  const page = readFileSync(new URL('../../../docs/embedding.md', import.meta.url), 'utf8')
  const listedUnder = (heading: string) => {
    const rows =
      page
        .split(`### ${heading}\n`)[1]
        ?.split(/\n#/)[0]
        ?.matchAll(/^\| `([\w.]+)` \|([^|]*)\|/gm) ?? []
    return [...rows]
      .flatMap(([, owner, members = '']) => [...members.matchAll(/`(\w+)`/g)].map(([, name]) => `${owner}.${name}`))
      .sort()
  }
  expect(listedUnder('Needed')).toEqual([...recorder.used].sort())
  expect(listedUnder('Used when there')).toEqual([...recorder.missed].sort())
})
