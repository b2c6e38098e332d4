import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listDescendants, waitUntil } from '@agent-terminals/testing'
import { expect } from 'vitest'
import type { TestClient } from '../client/test-client.js'
import { buildHouse, CARDS, type House, runCalls, send } from '../house.js'
import { concludeRun, exitOf, outputsOf, updatesOf } from './reading.js'
import type { CaseRegistry } from './registry.js'

const ASK = { config: { askPermission: ['terminal_send'] } }
const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } }) as const

const isRunning = (command: string) => listDescendants(process.pid).some((row) => row.command.includes(command))

/** Begin a prompt whose command prints `begun`, and wait until it has. */
async function begin(command: string, options: { readonly house?: House } = {}) {
  const house = options.house ?? (await buildHouse({ prompts: [[send(`echo begun; ${command}`)]] }))
  const client = house.connect({ meta: CARDS })
  const sessionId = await client.open(house.cwd)
  const answered = client.prompt(sessionId)
  // Looked at by whoever needs it; a connection that ends rejects it.
  answered.catch(() => undefined)
  const callId = () => client.callIds(sessionId).at(-1) ?? ''
  await client.until('the command has begun', () => outputsOf(client, sessionId, callId()).join('').includes('begun'))
  return { house, client, sessionId, answered, callId: callId() }
}

export function addPermissionCases({ case: one }: CaseRegistry): void {
  one(34, 'permission is asked for a call that is known, before anything runs', async () => {
    const run = await runCalls([send('echo ran')], { meta: CARDS, onPermission: async () => selected('allow') }, ASK)
    expect(concludeRun(run)).toMatchObject({ text: 'ran\r\n', status: 'completed', exit: [0, null] })
    const stream = run.client.stream(run.sessionId)
    const asked = stream.findIndex(({ kind }) => kind === 'permission')
    const about = (item: (typeof stream)[number]) => item.kind === 'update' && item.update.toolCallId === run.callId
    const before = stream.slice(0, asked).filter(about)
    expect(before).toMatchObject([{ update: { sessionUpdate: 'tool_call', status: 'pending' } }])
    expect(stream.slice(asked).find(about)).toMatchObject({ update: { status: 'in_progress' } })
  })

  one(35, 'a refusal starts nothing, is told on the card, and the turn goes on', async () => {
    const run = await runCalls(
      [send('touch refused'), send('touch refused')],
      { meta: CARDS, onPermission: async () => selected('reject') },
      ASK,
    )
    const { text, status, exit } = concludeRun(run)
    expect({ status, exit }).toEqual({ status: 'failed', exit: [null, null] })
    expect(text).toContain('[not run: permission denied]\r\n')
    expect(existsSync(join(run.house.cwd, 'refused'))).toBe(false)
    expect(run.response).toEqual({ stopReason: 'end_turn' })
    expect(run.client.said(run.sessionId)).toBe('done')
  })

  one(36, 'a cancel ends the program, closes the card and answers cancelled', async () => {
    const { client, sessionId, answered, callId } = await begin('sleep 301')
    await waitUntil('the program runs', () => isRunning('sleep'))
    await client.cancel(sessionId)
    expect(await answered).toEqual({ stopReason: 'cancelled' })
    expect(isRunning('sleep')).toBe(false)
    expect(client.violations()).toEqual([])
    expect(outputsOf(client, sessionId, callId).join('')).toMatch(/^begun\r\n[\s\S]*\[cancelled\]\r\n$/)
    expect(exitOf(client, sessionId, callId)).toMatchObject({ exit_code: null })
    expect(client.view(sessionId, callId).status).toBe('failed')
  })

  one(37, 'a cancel while permission is open closes the call', async () => {
    const house = await buildHouse({ prompts: [[send('touch asked')]], ...ASK })
    const cancelled = async (_: string, client: TestClient) => {
      await client.cancel(sessionId)
      return { outcome: { outcome: 'cancelled' } } as const
    }
    const client = house.connect({ meta: CARDS, onPermission: cancelled })
    const sessionId: string = await client.open(house.cwd)
    expect(await client.prompt(sessionId)).toEqual({ stopReason: 'cancelled' })
    const callId = client.callIds(sessionId).at(-1) ?? ''
    expect(client.violations()).toEqual([])
    expect(client.view(sessionId, callId).status).toBe('failed')
    expect(exitOf(client, sessionId, callId)).toMatchObject({ exit_code: null, signal: null })
    expect(existsSync(join(house.cwd, 'asked'))).toBe(false)
  })

  one(39, 'a client that goes away leaves nothing running', async () => {
    const house = await buildHouse({
      prompts: [[send('sleep 302', { run_in_background: true }), { ...openOther }, sendOther('echo begun; sleep 303')]],
    })
    const { client, answered } = await begin('', { house })
    await waitUntil('both programs run', () => listSleeps() === 2)
    await house.hangUp()
    await client.close()
    await expect(answered).rejects.toThrow()
    await waitUntil('the agents have gone', () => house.root.agents.list().length === 0)
    expect(listDescendants(process.pid).filter(({ command }) => /sleep|bash/.test(command))).toEqual([])
  })

  one(41, 'a background command is completed at hand-off and the prompt ends', async () => {
    const run = await runBackground('echo begun; read x; exit 4')
    expect(run.response).toEqual({ stopReason: 'end_turn' })
    expect(run.client.view(run.sessionId, run.callId).status).toBe('completed')
    expect(exitOf(run.client, run.sessionId, run.callId)).toBeUndefined()
  })

  one(42, 'what a background command prints after the turn arrives at its card', async () => {
    const run = await runBackground('echo begun; cat gate; echo late; read x')
    await answerGate(run)
    await run.client.until('the late line is there', () => textOf(run).includes('late'))
    expect(textOf(run)).toBe('begun\r\nopen\r\nlate\r\n')
    const stream = run.client.stream(run.sessionId)
    const after = stream.slice(stream.findIndex(({ kind }) => kind === 'request-answered') + 1)
    for (const item of after) {
      if (item.kind !== 'update') throw new Error('only updates follow the answer')
      expect(Object.keys(item.update).sort()).toEqual(['_meta', 'sessionUpdate', 'toolCallId'])
      expect(item.update.toolCallId).toBe(run.callId)
    }
    expect(run.client.violations()).toEqual([`EXIT-1 ${run.callId} has 0 exits`])
  })

  one(43, 'the end of a background command is one exit with its code and no status', async () => {
    const run = await runBackground('echo begun; cat gate; (exit 4)')
    await answerGate(run)
    await run.client.until('it has ended', () => exitOf(run.client, run.sessionId, run.callId) !== undefined)
    expect(run.client.violations()).toEqual([])
    expect(exitOf(run.client, run.sessionId, run.callId)).toMatchObject({ exit_code: 4, signal: null })
    expect(textOf(run)).toBe('begun\r\nopen\r\n[exited with code 4]\r\n')
    const last = updatesOf(run.client, run.sessionId, run.callId).at(-1)
    expect(last?.status).toBeUndefined()
    expect(run.client.view(run.sessionId, run.callId)).toMatchObject({ status: 'completed', card: { failed: true } })
  })

  one(44, 'a background command is stopped and ended with its session', async () => {
    const run = await runBackground('echo begun; sleep 304')
    await run.client.until('it has begun', () => textOf(run).includes('begun'))
    await run.client.agent.request('session/close', { sessionId: run.sessionId })
    expect(listSleeps()).toBe(0)
    expect(run.client.violations()).toEqual([])
    expect(exitOf(run.client, run.sessionId, run.callId)).toBeDefined()
  })
}

const openOther = { tool: 'terminal_open', args: { type: 'shell' }, as: 'other' } as const
const sendOther = (text: string) => ({ tool: 'terminal_send', args: { sessionId: '${other.sessionId}', text } })
const listSleeps = () => listDescendants(process.pid).filter(({ command }) => command.includes('sleep')).length

type BackgroundRun = Awaited<ReturnType<typeof runBackground>>
const runBackground = (command: string) =>
  runCalls([send('mkfifo gate'), send(command, { run_in_background: true })], { meta: CARDS })
const textOf = ({ client, sessionId, callId }: BackgroundRun) => outputsOf(client, sessionId, callId).join('')

async function answerGate({ house }: BackgroundRun): Promise<void> {
  const { writeFile } = await import('node:fs/promises')
  await writeFile(join(house.cwd, 'gate'), 'open\n')
}
