import { useBaseline } from '@agent-terminals/testing'
import { utf8Length } from '@agent-terminals/text'
import { afterEach, describe, expect, it } from 'vitest'
import { buildHouse, type House, settle, textOf } from '../house.js'
import type { ScriptedSession } from '../scripted-backend.js'

useBaseline()

let house: House | undefined
let session: ScriptedSession | undefined
afterEach(async () => {
  for (const send of session?.sends ?? []) send.settle('', { exitCode: 0 })
  await house?.dispose()
  house = undefined
})

async function startHouse(options: Parameters<typeof buildHouse>[0] = {}) {
  const built = await buildHouse(options)
  const opened = await built.open()
  house = built
  session = opened.session
  return { house: built, ...opened }
}

const BUSY = { waitReason: 'timeout', state: 'busy', foreground: 'make', elapsedMs: 30_000 } as const

describe('run_in_background', () => {
  it('answers at once with the id of a job that has the terminal already', async () => {
    const { house, session, sessionId } = await startHouse()
    const call = await house.call('terminal_send', { sessionId, text: 'make all\nmake check', run_in_background: true })
    expect(textOf(call)).toBe(
      `[job terminal-1 is sending to ${sessionId}; job_output with wait collects its output, job_kill interrupts it]`,
    )
    expect(call.result.structured).toEqual({ sessionId, jobId: 'terminal-1' })
    expect(session.sends).toHaveLength(1)
    const refused = await house.call('terminal_send', { sessionId, text: 'x' })
    expect(refused.result.code).toBe('SEND_ACTIVE')
    expect(textOf(refused)).toContain('job_output waits for one')
    expect(await house.text('job_list', {})).toContain('make all')
  })

  it('makes no job when the send is refused', async () => {
    const { house, session, sessionId } = await startHouse()
    const foreground = house.call('terminal_send', { sessionId, text: 'sleep 9' })
    const send = await session.waitForSend(1)
    const call = await house.call('terminal_send', { sessionId, text: 'make', run_in_background: true })
    expect(call.result.code).toBe('SEND_ACTIVE')
    expect(await house.text('job_list', {})).toBe('[no jobs]')
    send.settle('')
    await foreground
  })

  it('is refused before anything is written where no job service is mounted', async () => {
    const { house, session, sessionId } = await startHouse({ withJobs: false })
    const call = await house.call('terminal_send', { sessionId, text: 'make', run_in_background: true })
    expect(call.result).toMatchObject({ isError: true, code: 'NO_JOB_SURFACE' })
    expect(textOf(call)).toContain('Nothing was written.')
    expect(session.sends).toEqual([])
  })

  it('runs in the foreground when it is false', async () => {
    const { house, session, sessionId } = await startHouse({ withJobs: false })
    const calling = house.text('terminal_send', { sessionId, text: 'true', run_in_background: false })
    ;(await session.waitForSend(1)).settle('ok\n', { exitCode: 0 })
    expect(await calling).toBe('ok\n')
  })

  it('gives increments, then the final result, each once', async () => {
    const { house, session, sessionId } = await startHouse()
    await house.call('terminal_send', { sessionId, text: 'make', run_in_background: true })
    const send = await session.waitForSend(1)
    send.request.onText?.('one\n')
    expect(await house.text('job_output', { jobId: 'terminal-1' })).toMatch(/^one\n\[job terminal-1: running\]/)
    send.request.onText?.('two\n')
    const waiting = house.text('job_output', { jobId: 'terminal-1', wait: true })
    send.settle('one\ntwo\nthree', { exitCode: 2 })
    expect(await waiting).toBe('two\nthree\n[exit 2]\n[job terminal-1: failed]')
    expect(await house.text('job_output', { jobId: 'terminal-1' })).toBe('[job terminal-1: failed]')
  })

  it('says in job_output that it waits for input, and tells its owner with the question (B065)', async () => {
    const { house, session, sessionId } = await startHouse()
    await house.call('terminal_send', { sessionId, text: "read -p 'name? ' x", run_in_background: true })
    const waiting = house.text('job_output', { jobId: 'terminal-1', wait: true })
    ;(await session.waitForSend(1)).settle('name? ', { state: 'line' })
    expect(await waiting).toMatch(/^name\? \n\[job terminal-1: running\]\n\[waiting.*: name\?\]$/)
    const notices = house.agent.session.events.filter(({ type }) => type === 'job/waiting')
    expect(notices).toEqual([
      expect.objectContaining({ data: { jobId: 'terminal-1', text: expect.stringContaining('name?') } }),
    ])
    const answering = house.call('terminal_send', { sessionId, text: 'Ada' })
    const answer = await session.waitForSend(2)
    session.emit({ type: 'command-finished', commandId: 'c', exitCode: 0, durationMs: 3 })
    answer.settle('', { exitCode: 0 })
    await answering
    expect(await house.text('job_output', { jobId: 'terminal-1', wait: true })).toMatch(
      /^\n?\[exit 0\]\n\[job terminal-1: completed\]$/,
    )
  })

  it('does not end with a command of another terminal', async () => {
    const { house, session, sessionId } = await startHouse()
    await house.call('terminal_send', { sessionId, text: "read -p 'name? ' x", run_in_background: true })
    ;(await session.waitForSend(1)).settle('name? ', { state: 'line' })
    await settle()
    const other = await house.open()
    other.session.emit({ type: 'command-finished', commandId: 'c', exitCode: 0, durationMs: 5 })
    await settle()
    expect(await house.text('job_output', { jobId: 'terminal-1' })).toContain('[job terminal-1: running]')
    session.emit({ type: 'command-finished', commandId: 'c', exitCode: 0, durationMs: 5 })
    await settle()
    expect(await house.text('job_output', { jobId: 'terminal-1' })).toContain('[job terminal-1: completed]')
  })

  it('says in job_output that it is quiet', async () => {
    const { house, session, sessionId } = await startHouse()
    await house.call('terminal_send', { sessionId, text: 'npm run dev', run_in_background: true })
    ;(await session.waitForSend(1)).settle('listening\n', { ...BUSY, waitReason: 'inferred_idle', state: 'quiet' })
    await session.waitForSend(2)
    expect(await house.text('job_output', { jobId: 'terminal-1' })).toMatch(
      /^listening\n\[job terminal-1: running\]\n\[quiet/,
    )
  })

  it('is killed by job_kill, never completed, and settles exactly once', async () => {
    const { house, session, sessionId } = await startHouse()
    await house.call('terminal_send', { sessionId, text: 'sleep 60', run_in_background: true })
    const send = await session.waitForSend(1)
    const killing = house.text('job_kill', { jobId: 'terminal-1' })
    await settle()
    expect(send.request.signal?.aborted).toBe(true)
    send.resolve({
      kind: 'cancelled',
      reason: send.request.signal?.reason,
      interruption: { delivered: 'SIGINT', targetPgid: 77 },
      viewport: { text: '', omittedLines: 0, omittedBytes: 0 },
      sessionStatus: { kind: 'running' },
    })
    const ending = '[killed; SIGINT was delivered to process group 77]\n[job terminal-1: killed]'
    expect(await killing).toBe(ending)
    expect(await house.text('job_output', { jobId: 'terminal-1' })).toBe(ending)
    expect(house.agent.session.events.filter(({ type }) => type === 'job/settled')).toHaveLength(1)
  })

  it('ends with its owner', async () => {
    const { house, session, sessionId } = await startHouse()
    await house.call('terminal_send', { sessionId, text: 'sleep 60', run_in_background: true })
    const send = await session.waitForSend(1)
    const ending = house.agent.dispose()
    await settle()
    expect(send.request.signal?.aborted).toBe(true)
    send.resolve({
      kind: 'cancelled',
      reason: send.request.signal?.reason,
      interruption: { delivered: 'SIGINT', targetPgid: 77 },
      viewport: { text: '', omittedLines: 0, omittedBytes: 0 },
      sessionStatus: { kind: 'running' },
    })
    await ending
    expect(session.closes).toBe(1)
  })

  it.each([64, 100, 300])('keeps its id and the bound of %d bytes in every text', async (maxResultBytes) => {
    const { house, session, sessionId } = await startHouse({ config: { maxResultBytes } })
    const started = await house.text('terminal_send', { sessionId, text: 'make', run_in_background: true })
    expect(started).toContain('[job terminal-1')
    expect(utf8Length(started)).toBeLessThanOrEqual(maxResultBytes)
    const send = await session.waitForSend(1)
    send.request.onText?.('🐚 a line of output that repeats\n'.repeat(50))
    const running = await house.text('job_output', { jobId: 'terminal-1' })
    send.settle('x'.repeat(5000), { exitCode: 7 })
    await settle()
    const ended = await house.text('job_output', { jobId: 'terminal-1' })
    for (const text of [running, ended]) {
      expect(utf8Length(text)).toBeLessThanOrEqual(maxResultBytes)
      expect(text).toContain('[job terminal-1:')
      expect(text).not.toMatch(/\p{Surrogate}/u)
    }
    const [notice] = house.agent.session.events.flatMap((event) => (event.type === 'job/settled' ? [event.data] : []))
    expect(JSON.stringify(notice)).toContain('terminal-1')
  })
})
