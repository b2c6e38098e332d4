import { expect } from 'vitest'
import { buildHouse, CARDS, runCalls, send } from '../house.js'
import { callPieces, registerPieces } from '../pieces-tool.js'
import { concludeRun, updatesOf } from './reading.js'
import type { CaseRegistry } from './registry.js'

export function addExitCases({ case: one }: CaseRegistry): void {
  one(27, 'exit code 0 is completed', async () => {
    const run = await runCalls([send('echo fine')])
    expect(concludeRun(run)).toMatchObject({ status: 'completed', exit: [0, null], view: { card: { failed: false } } })
  })

  one(28, 'exit code 3 is failed, for old readers and new ones', async () => {
    const run = await runCalls([send('(exit 3)')])
    expect(concludeRun(run)).toMatchObject({
      status: 'failed',
      exit: [3, null],
      view: { card: { failed: true, exit: { exitCode: 3 } } },
      older: { card: { failed: true } },
    })
  })

  one(29, 'a terminal that dies of SIGKILL ends with the signal', async () => {
    const run = await runCalls([send('kill -KILL $$')])
    expect(concludeRun(run)).toMatchObject({ status: 'failed', exit: [null, 'SIGKILL'] })
  })

  one(29, 'a program that is killed ends with the code its shell reports', async () => {
    const run = await runCalls([send("bash -c 'kill -KILL $$'")])
    expect(concludeRun(run)).toMatchObject({ status: 'failed', exit: [137, null] })
  })

  for (const [reported, sent] of [
    [-1073741510, 3221225786],
    [3221225786, 3221225786],
    [2 ** 32, null],
    [1.5, null],
  ] as const) {
    one(30, `a platform's status ${reported} is sent as ${sent}`, async () => {
      const house = await buildHouse({ prompts: [[callPieces]] })
      registerPieces(house, { pieces: ['x'], exit: { exitCode: reported, signal: null } })
      const client = house.connect({ meta: CARDS })
      const sessionId = await client.open(house.cwd)
      const response = await client.prompt(sessionId)
      const callId = client.callIds(sessionId).at(-1) ?? ''
      expect(concludeRun({ house, client, sessionId, response, callId }).exit).toEqual([sent, null])
    })
  }

  one(31, 'a child that keeps the terminal open does not hold back the exit', async () => {
    const run = await runCalls([send('sleep 300 & exit 0')])
    expect(concludeRun(run)).toMatchObject({ status: 'completed', exit: [0, null] })
    const last = updatesOf(run.client, run.sessionId, run.callId).at(-1)
    expect(last?._meta).toHaveProperty('terminal_exit')
  })

  one(32, 'every card has one exit, last, with the final status', async () => {
    const calls = [send('echo a'), send('(exit 1)'), send('true'), send('cat'), send('\u0004', { submit: false })]
    const run = await runCalls(calls)
    concludeRun(run)
    for (const callId of run.client.callIds(run.sessionId).slice(1)) {
      const updates = updatesOf(run.client, run.sessionId, callId)
      const exits = updates.filter(({ _meta }) => _meta && 'terminal_exit' in _meta)
      expect(exits).toEqual([updates.at(-1)])
      expect(updates.at(-1)?.status).toMatch(/completed|failed/)
    }
  })

  one(33, 'no update drops the card from the content', async () => {
    const run = await runCalls([send('echo a'), send('(exit 1)')])
    concludeRun(run)
    for (const callId of run.client.callIds(run.sessionId).slice(1)) {
      expect(run.client.view(run.sessionId, callId).card).toBeDefined()
      expect(run.client.view(run.sessionId, callId, 'older').card).toBeDefined()
    }
  })

  one(38, 'a time limit is told, fails, and does not cancel the turn', async () => {
    const run = await runCalls([send('echo begun; sleep 300', { timeoutMs: 300 })])
    expect(run.response).toEqual({ stopReason: 'end_turn' })
    const { status, exit, text } = concludeRun(run)
    expect({ status, exit }).toEqual({ status: 'failed', exit: [null, null] })
    expect(text).toBe('begun\r\n[time limit reached: the program is still running]\r\n')
  })

  one(40, 'a tool that fails after its card was registered closes it', async () => {
    const house = await buildHouse({ prompts: [[callPieces]] })
    registerPieces(house, { pieces: ['half'], fails: true })
    const client = house.connect({ meta: CARDS })
    const sessionId = await client.open(house.cwd)
    const response = await client.prompt(sessionId)
    const callId = client.callIds(sessionId).at(-1) ?? ''
    const { status, exit, text } = concludeRun({ house, client, sessionId, response, callId })
    expect({ status, exit }).toEqual({ status: 'failed', exit: [null, null] })
    expect(text).toBe('half\r\nthe tool broke\r\n[error TOOL_FAILED]\r\n')
  })
}
