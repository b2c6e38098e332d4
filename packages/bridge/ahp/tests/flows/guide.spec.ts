/** The flows of the terminals guide, each end to end: a real shell, the tools of an agent, clients over WebSockets. */

import type { Agent } from '@agent-terminals/agents/contract'
import { isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import * as toolTerminal from '@agent-terminals/tool-terminal'
import * as tools from '@agent-terminals/tools'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AhpClient, type ChannelView, RemoteTerminal } from '../../src/client/index.js'
import { type RootState, rawStream, type TerminalState } from '../../src/protocol/index.js'
import { ShellHouse } from '../support/shell-house.js'

useBaseline()

let house: ShellHouse
let agent: Agent
let client: AhpClient
let root: ChannelView<RootState>
beforeAll(async () => {
  house = await ShellHouse.build()
  await house.root.plugin(tools, tools.Config.parse({}))
  await house.root.plugin(toolTerminal, toolTerminal.Config.parse({}))
})
beforeEach(async () => {
  agent = await house.createAgent()
  client = await house.client({ clientId: `ui-${Math.random()}` })
  root = await client.subscribeRoot()
})
afterEach(async () => {
  for (const { resource } of root.state?.terminals ?? []) await client.disposeTerminal(resource)
  await agent.dispose()
  client.close()
})
afterAll(() => house.dispose())

const call = (name: string, args: unknown) => house.root.tools.execute({ agent, name, args })
const text = async (name: string, args: unknown) =>
  (await call(name, args)).result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

/** The agent opens a terminal; the client finds it in the list and follows it. */
async function openByAgent(name: string) {
  const { result } = await call('terminal_open', { type: 'shell', name })
  const sessionId = String((result.structured as { sessionId?: unknown } | undefined)?.sessionId)
  await waitUntil('it is listed', () => root.state?.terminals?.some(({ title }) => title === name) === true)
  const uri = root.state?.terminals?.find(({ title }) => title === name)?.resource ?? ''
  const view = await client.subscribeTerminal(uri)
  return { sessionId, uri, view, terminal: new RemoteTerminal(client, view) }
}
const claimOf = (uri: string) => root.state?.terminals?.find(({ resource }) => resource === uri)?.claim
const commandsOf = ({ state }: ChannelView<TerminalState>) =>
  state?.content.filter((part) => part.type === 'command') ?? []
const outputOf = ({ state }: ChannelView<TerminalState>) => rawStream(state?.content ?? [])

describe('the flows of the guide', () => {
  it('an agent runs a command: claims, output and result are seen live', async () => {
    const { sessionId, uri, view } = await openByAgent('build')
    const claims: unknown[] = []
    view.onEvent((event) => {
      if (event.type === 'action' && event.envelope.action.type === 'terminal/claimed')
        claims.push(event.envelope.action.claim)
    })
    const owned = claimOf(uri)
    expect(owned).toMatchObject({
      kind: 'session',
      session: expect.stringContaining(encodeURIComponent(agent.session.id)),
    })
    expect(await text('terminal_send', { sessionId, text: 'echo built; (exit 2)' })).toContain('built')
    await waitUntil('the claim is wide again', () => claims.length === 2)
    expect(claims).toEqual([{ ...owned, toolCallId: expect.any(String) }, owned])
    expect(commandsOf(view)).toMatchObject([
      { commandLine: 'echo built; (exit 2)', output: 'built\r\n', isComplete: true, exitCode: 2 },
    ])
    await call('terminal_close', { sessionId })
    await waitUntil('it has left the list', () => claimOf(uri) === undefined)
    expect(view.state?.lifecycle.status).toBe('exited')
  })

  it('an agent starts a server, and the claim narrows to the session while the server runs', async () => {
    const { sessionId, uri, view } = await openByAgent('server')
    const starting = text('terminal_send', {
      sessionId,
      text: 'python3 -c \'print("listening", flush=True); input()\'',
    })
    expect(await starting).toContain('listening')
    await waitUntil(
      'it is in the background',
      () => claimOf(uri)?.kind === 'session' && !('toolCallId' in (claimOf(uri) ?? {})),
    )
    expect(commandsOf(view).at(-1)).toMatchObject({ isComplete: false })
    expect(view.state?.lifecycle.status).toBe('running')
    await agent.dispose()
    await waitUntil('the session has taken it along', () => claimOf(uri) === undefined)
  })

  it('a client detaches a long task: the agent goes on, and so does the task', async () => {
    const { sessionId, uri, view, terminal } = await openByAgent('task')
    const sending = text('terminal_send', { sessionId, text: 'echo started; sleep 1; echo finished' })
    await waitUntil(
      'the tool call has it',
      () => 'toolCallId' in (claimOf(uri) ?? {}) && outputOf(view).includes('started\r\n'),
    )
    expect((await terminal.detach()).kind).toBe('accepted')
    const answer = await sending
    expect(answer).toContain('started')
    expect(answer).not.toContain('finished')
    expect(answer).toContain('sent this to the background')
    expect(claimOf(uri)).not.toHaveProperty('toolCallId')
    await waitUntil('the task ends by itself', () => outputOf(view).includes('finished\r\n'))
    expect(await text('terminal_send', { sessionId, text: 'echo next' })).toContain('next')
  })

  it('a client works in a terminal of its own', async () => {
    const uri = await client.createTerminal({ name: 'mine', cols: 100, rows: 30 })
    const view = await client.subscribeTerminal(uri)
    const terminal = new RemoteTerminal(client, view)
    expect(terminal.isHeld).toBe(true)
    expect(await terminal.input('echo $((6*7))\r')).toMatchObject({ kind: 'accepted' })
    await waitUntil('it has answered', () => commandsOf(view)[0]?.isComplete === true)
    expect(commandsOf(view)).toMatchObject([{ commandLine: 'echo $((6*7))', output: '42\r\n', exitCode: 0 }])
    await terminal.input('exit\r')
    await waitUntil('it has ended', () => view.state?.lifecycle.status === 'exited')
    await client.disposeTerminal(uri)
    await waitUntil('it has left the list', () => claimOf(uri) === undefined)
  })

  it('the session takes a terminal in the background up again', async () => {
    const { sessionId, uri, view } = await openByAgent('repl')
    await call('terminal_send', { sessionId, text: 'python3 -q' })
    await waitUntil('it is in the background', () => !('toolCallId' in (claimOf(uri) ?? {})))
    const claims: unknown[] = []
    view.onEvent((event) => {
      if (event.type === 'action' && event.envelope.action.type === 'terminal/claimed')
        claims.push(event.envelope.action.claim)
    })
    expect(await text('terminal_send', { sessionId, text: 'print(6*7)' })).toContain('42')
    await waitUntil('the claim came and went', () => claims.length === 2)
    expect(claims[0]).toHaveProperty('toolCallId')
  })

  it('the end of a session cleans its terminals up, and leaves a client’s alone', async () => {
    const first = await openByAgent('left behind')
    const second = await openByAgent('taken over')
    await first.terminal.input('echo pid=$$ first\r')
    await waitUntil('it has answered', () => /pid=\d+ first\r/.test(outputOf(first.view)))
    const pid = Number(/pid=(\d+) first\r/.exec(outputOf(first.view))?.[1])
    expect((await second.terminal.takeOver()).kind).toBe('accepted')
    await agent.dispose()
    await waitUntil('the session’s is gone', () => claimOf(first.uri) === undefined)
    expect(isAlive(pid)).toBe(false)
    expect(claimOf(second.uri)).toMatchObject({ kind: 'client', clientId: client.clientId })
    await second.terminal.input('echo alive\r')
    await waitUntil('it still answers', () => outputOf(second.view).includes('alive\r\n'))
  })

  it('several clients see one terminal, and of two that claim it one is refused', async () => {
    const { view, uri, terminal } = await openByAgent('shared')
    const other = await house.client({ clientId: 'other' })
    const theirs = await other.subscribeTerminal(uri)
    const rejections: string[] = []
    other.onRejection(({ rejectionReason = '' }) => rejections.push(rejectionReason))
    const [mine, second] = await Promise.all([terminal.takeOver(), new RemoteTerminal(other, theirs).takeOver()])
    expect([mine.kind, second.kind].sort()).toEqual(['accepted', 'rejected'])
    await waitUntil('both agree', () => JSON.stringify(view.state?.claim) === JSON.stringify(theirs.state?.claim))
    const holder = terminal.isHeld ? terminal : new RemoteTerminal(other, theirs)
    await holder.input('echo to-both\r')
    await waitUntil('both see it', () => [view, theirs].every((each) => outputOf(each).includes('to-both\r\n')))
    await waitUntil('both states are equal', () => JSON.stringify(view.state) === JSON.stringify(theirs.state))
    if (second.kind === 'rejected') expect(rejections).toEqual(['claimed by another client'])
    other.close()
  })
})
