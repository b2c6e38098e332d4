import type { JobActivity, JobControl, JobSettlement } from '@agent-terminals/jobs/contract'
import { TerminalError, type TerminalEvent } from '@agent-terminals/terminal'
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attendProgram } from '../../src/background/attend.js'
import type { BackgroundJob } from '../../src/background/job.js'
import { startJobWork } from '../../src/background/work.js'
import { Config, type Toolkit } from '../../src/index.js'
import { asSessionId } from '../../src/tools/toolkit.js'
import { buildHouse, type House, settle } from '../house.js'
import { type ScriptedSession, settled } from '../scripted-backend.js'

useBaseline()

let house: House
let sessionId: string
let session: ScriptedSession
beforeEach(async () => {
  house = await buildHouse({ withJobs: false })
  const opened = await house.open()
  sessionId = opened.sessionId
  session = opened.session
})
afterEach(async () => {
  for (const send of session.sends) send.settle('')
  await house.dispose()
})

interface Recorded {
  readonly job: BackgroundJob
  readonly control: JobControl
  readonly output: string[]
  readonly activities: JobActivity[]
  settlement(): Promise<JobSettlement | 'running'>
  /** Milliseconds to move the clock of the job by. */
  advance(ms: number): void
}

interface StartArguments {
  readonly text?: string
  readonly timeoutMs?: number
  readonly onActivity?: (activity: JobActivity) => void
}

function start({ onActivity = () => {}, ...args }: StartArguments = {}): Recorded {
  const output: string[] = []
  const activities: JobActivity[] = []
  let now = 0
  const kit: Toolkit = {
    config: Config.parse({}),
    terminals: house.root.terminals,
    now: () => now,
    findJobs: () => undefined,
    onTerminalEvent: (id, listener) =>
      house.root.on('terminal/event', (each, event: TerminalEvent) => {
        if (each === id) listener(event)
      }),
  }
  const handle = {
    id: 'terminal-1',
    output: (text: string) => void output.push(text),
    activity: (activity: JobActivity) => {
      activities.push(activity)
      onActivity(activity)
    },
  }
  const job = { kit, args: { sessionId, text: 'make', ...args }, owner: house.agent, handle, previousCwd: '/src' }
  const control = startJobWork(job)
  return {
    job,
    control,
    output,
    activities,
    async settlement() {
      const end = await Promise.race([control.done, settle().then(() => 'running' as const)])
      return end
    },
    advance: (ms) => {
      now += ms
    },
  }
}

const BUSY = { waitReason: 'timeout', state: 'busy', foreground: 'make', elapsedMs: 30_000 } as const

describe('a background send', () => {
  it('writes once and completes when the command does', async () => {
    const job = start()
    expect(session.sends.map(({ request }) => [request.text, request.submit])).toEqual([['make', true]])
    session.sends[0]?.settle('done\n', { exitCode: 0 })
    expect(await job.settlement()).toEqual({ status: 'completed', text: '' })
    expect(job.output.join('')).toBe('done\n')
  })

  it('fails with the code of a failing command', async () => {
    const job = start()
    session.sends[0]?.settle('', { exitCode: 2 })
    expect(await job.settlement()).toEqual({ status: 'failed', text: '[exit 2]' })
  })

  it('says that a silent command succeeded', async () => {
    const job = start()
    session.sends[0]?.settle('', { exitCode: 0 })
    expect(await job.settlement()).toEqual({ status: 'completed', text: '[exit 0, no output]' })
  })

  it('reserves the terminal in the very call, and is refused when somebody else has', () => {
    start()
    expect(() => start()).toThrow(expect.objectContaining({ code: 'SEND_ACTIVE' }))
    expect(session.sends).toHaveLength(1)
  })

  it('passes finished lines on as they come, clean, and the rest at the end', async () => {
    const job = start()
    const [send] = session.sends
    send?.request.onText?.('one\n')
    send?.request.onText?.('\x1b[31mtwo\x1b[0m\n')
    expect(job.output).toEqual(['one\n', 'two\n'])
    send?.settle('one\n\x1b[31mtwo\x1b[0m\nthree', { exitCode: 0 })
    await job.settlement()
    expect(job.output).toEqual(['one\n', 'two\n', 'three'])
  })

  it('passes everything on at the end when the backend reports no lines', async () => {
    const job = start()
    session.sends[0]?.settle('one\ntwo\n', { exitCode: 0 })
    await job.settlement()
    expect(job.output.join('')).toBe('one\ntwo\n')
  })

  it('only adds the last line when the middle of the viewport is gone', async () => {
    const job = start()
    const [send] = session.sends
    send?.request.onText?.('one\ntwo\nthree\n')
    send?.settle('', { viewport: { text: 'one\n…\nthree\n$ ', omittedLines: 1, omittedBytes: 4 }, exitCode: 0 })
    await job.settlement()
    expect(job.output).toEqual(['one\ntwo\nthree\n', '$ '])
  })

  it('waits on while the program is busy or quiet, without writing again', async () => {
    const job = start()
    session.sends[0]?.settle('a\n', BUSY)
    const second = await session.waitForSend(2)
    expect(job.activities.at(-1)).toEqual({ kind: 'working', detail: '' })
    second.settle('b\n', { ...BUSY, waitReason: 'inferred_idle', state: 'quiet' })
    const third = await session.waitForSend(3)
    expect(job.activities.at(-1)?.kind).toBe('quiet')
    third.settle('c\n', { exitCode: 0 })
    expect(await job.settlement()).toEqual({ status: 'completed', text: '' })
    expect(session.sends.map(({ request }) => [request.text, request.submit])).toEqual([
      ['make', true],
      ['', false],
      ['', false],
    ])
    expect(job.output.join('')).toBe('a\nb\nc\n')
  })

  it('gives up at the time limit of its caller, never as a success, and leaves the program running (B062)', async () => {
    const job = start({ timeoutMs: 2000 })
    expect(session.sends[0]?.request.timeoutMs).toBe(2000)
    job.advance(1200)
    session.sends[0]?.settle('', { ...BUSY, waitReason: 'inferred_idle', state: 'quiet' })
    const second = await session.waitForSend(2)
    expect(second.request.timeoutMs).toBe(800)
    job.advance(800)
    second.settle('', BUSY)
    expect(await job.settlement()).toEqual({
      status: 'failed',
      text: expect.stringMatching(/^\[timeout: make is still running/),
    })
    expect(session.signals).toEqual([])
  })

  it('tells quiet and work while it waits, but no question before it is proven', () => {
    const job = start()
    const [send] = session.sends
    for (const state of ['busy', 'quiet', 'line'] as const)
      send?.request.onState?.({ state, quietMs: 0, lastLine: 'na' })
    expect(job.activities.map(({ kind }) => kind)).toEqual(['working', 'quiet'])
  })

  it('fails when the terminal ends with a bad code, and names it', async () => {
    const job = start()
    session.sends[0]?.settle('', {
      waitReason: 'session_exit',
      state: 'ended',
      sessionStatus: { kind: 'exited', exitCode: 3 },
    })
    expect(await job.settlement()).toEqual({
      status: 'failed',
      text: '[session_exit: the terminal has ended (exit 3); open another with terminal_open]',
    })
  })

  it('fails when the send fails', async () => {
    const job = start()
    session.sends[0]?.resolve({ kind: 'failed', error: new Error('the PTY is gone') })
    expect(await job.settlement()).toEqual({ status: 'failed', text: '[failed: the PTY is gone]' })
  })
})

describe('a background send that needs an answer', () => {
  const ask = async (job: Recorded) => {
    session.sends[0]?.settle('name? ', { state: 'line', foreground: 'read' })
    expect(await job.settlement()).toBe('running')
  }

  it('is waiting, with the question, and leaves the keyboard free (B065)', async () => {
    const job = start()
    await ask(job)
    expect(job.activities).toEqual([
      { kind: 'waiting', detail: 'for a line of input; answer with terminal_send: name?' },
    ])
    expect(job.output).toEqual(['name? '])
    expect(house.root.terminals.list(house.agent)[0]?.sending).toBe(false)
  })

  it('works again once answered, and ends with the command', async () => {
    const job = start()
    await ask(job)
    const answering = house.text('terminal_send', { sessionId, text: 'Bob' })
    const answer = await session.waitForSend(2)
    session.emit({ type: 'data', bytes: new Uint8Array([66]) })
    await settle()
    expect(job.activities.at(-1)?.kind).toBe('working')
    session.emit({ type: 'command-finished', commandId: 'c1', exitCode: 0, durationMs: 5 })
    answer.settle('hello Bob\n', { exitCode: 0 })
    expect(await answering).toBe('hello Bob\n')
    expect(await job.settlement()).toEqual({ status: 'completed', text: '[exit 0]' })
  })

  it('goes on to the last of several commands that were typed at once', async () => {
    const job = start({ text: 'read x\nsleep 1\nfalse' })
    await ask(job)
    const answering = house.text('terminal_send', { sessionId, text: 'Bob' })
    const answer = await session.waitForSend(2)
    session.emit({ type: 'command-finished', commandId: 'c1', exitCode: 0, durationMs: 5 })
    session.emit({ type: 'command-executed', commandId: 'c2', commandLine: 'sleep 1' })
    expect(await job.settlement()).toBe('running')
    answer.settle('', BUSY)
    await answering
    expect(await job.settlement()).toBe('running')
    session.emit({ type: 'command-finished', commandId: 'c2', exitCode: 1, durationMs: 5 })
    expect(await job.settlement()).toEqual({ status: 'failed', text: '[exit 1]' })
  })

  it.each([
    [
      'a failing command',
      { type: 'command-finished', commandId: 'c', exitCode: 4, durationMs: 5 },
      'failed',
      '[exit 4]',
    ],
    [
      'a command without a code',
      { type: 'command-finished', commandId: 'c', exitCode: undefined, durationMs: 5 },
      'completed',
      '[the command has ended]',
    ],
    [
      'the end of the terminal',
      { type: 'exited', status: { kind: 'exited', exitCode: 0 } },
      'completed',
      '[the terminal has ended (exit 0)]',
    ],
  ] as const)('ends with %s', async (_title, event, status, text) => {
    const job = start()
    await ask(job)
    session.emit(event)
    expect(await job.settlement()).toEqual({ status, text })
  })

  it('passes empty lines on only where something follows', async () => {
    const job = start()
    const [send] = session.sends
    send?.request.onText?.('\n')
    expect(job.output).toEqual([])
    send?.request.onText?.('\nword\n')
    send?.request.onText?.('\n')
    expect(job.output).toEqual(['\n\nword\n', '\n'])
    send?.settle('\n\nword\n\n', { exitCode: 0 })
    expect(await job.settlement()).toEqual({ status: 'completed', text: '' })
  })

  it('says that a person keeps it from waiting, and goes on', async () => {
    const job = start()
    house.root.terminals.observers.claim(asSessionId(sessionId), { kind: 'client', clientId: 'ann' })
    session.sends[0]?.settle('', BUSY)
    expect(await job.settlement()).toBe('running')
    expect(job.activities.at(-1)).toEqual({ kind: 'working', detail: 'a person has the keyboard of its terminal' })
    session.emit({ type: 'command-finished', commandId: 'c1', exitCode: 0, durationMs: 5 })
    expect(await job.settlement()).toEqual({ status: 'completed', text: '[exit 0]' })
  })

  it('has ended, and searches for nothing, by the time its terminal is closed', async () => {
    const job = start()
    const closing = house.call('terminal_close', { sessionId })
    await settle()
    session.sends[0]?.resolve({
      kind: 'cancelled',
      reason: session.sends[0].cancels[0],
      interruption: { delivered: 'SIGINT', targetPgid: 77 },
      viewport: { text: '\n', omittedLines: 0, omittedBytes: 0 },
      sessionStatus: { kind: 'running' },
    })
    await closing
    expect(await job.settlement()).toEqual({
      status: 'killed',
      text: '[killed: The terminal is being closed; SIGINT was delivered to process group 77]',
    })
    expect(session.remainingAsked).toBe(0)
    expect(job.output).toEqual([])
  })

  it('is killed when the terminal is closed', async () => {
    const job = start()
    await ask(job)
    await house.call('terminal_close', { sessionId })
    expect(await job.settlement()).toEqual({ status: 'killed', text: '[killed: the terminal was closed]' })
  })

  it('is interrupted by a kill', async () => {
    const job = start()
    await ask(job)
    await job.control.kill()
    expect(session.signals).toEqual(['SIGINT'])
    expect(await job.settlement()).toEqual({
      status: 'killed',
      text: '[killed; SIGINT was delivered to process group 77]',
    })
  })

  it('is interrupted by a kill that comes the moment it is told to be waiting', async () => {
    const job: Recorded = start({
      onActivity: ({ kind }) => {
        if (kind === 'waiting') void job.control.kill()
      },
    })
    session.sends[0]?.settle('name? ', { state: 'line' })
    expect(await job.settlement()).toMatchObject({ status: 'killed' })
    expect(session.signals).toEqual(['SIGINT'])
  })

  it('has failed when the interruption could not be delivered', async () => {
    const job = start()
    await ask(job)
    session.signalError = new TerminalError('NO_FOREGROUND', 'no group')
    await job.control.kill()
    expect(await job.settlement()).toEqual({
      status: 'failed',
      text: '[the program could not be interrupted: no group]',
    })
  })
})

describe('a killed background send', () => {
  it('cancels its send, and is killed once the interruption has been delivered', async () => {
    const job = start()
    const killing = job.control.kill()
    const [send] = session.sends
    expect(send?.request.signal?.aborted).toBe(true)
    expect(await job.settlement()).toBe('running')
    send?.resolve({
      kind: 'cancelled',
      reason: send.request.signal?.reason,
      interruption: { delivered: 'SIGTERM', targetPgid: 99 },
      viewport: { text: 'part\n', omittedLines: 0, omittedBytes: 0 },
      sessionStatus: { kind: 'running' },
    })
    await killing
    expect(await job.settlement()).toEqual({
      status: 'killed',
      text: '[killed; SIGTERM was delivered to process group 99, which did not yield to less]',
    })
    expect(job.output).toEqual(['part\n'])
  })

  it('interrupts the program itself when the cancelled send was only waiting', async () => {
    const job = start()
    session.sends[0]?.settle('', BUSY)
    const waiting = await session.waitForSend(2)
    const killing = job.control.kill()
    waiting.resolve({
      kind: 'cancelled',
      reason: waiting.request.signal?.reason,
      interruption: { delivered: 'none' },
      viewport: { text: '', omittedLines: 0, omittedBytes: 0 },
      sessionStatus: { kind: 'running' },
    })
    await killing
    expect(session.signals).toEqual(['SIGINT'])
    expect((await job.settlement()) as JobSettlement).toMatchObject({ status: 'killed' })
  })

  it('interrupts the program when the kill crosses a verdict that it still runs', async () => {
    const job = start()
    session.sends[0]?.settle('', BUSY)
    await job.control.kill()
    expect(session.signals).toEqual(['SIGINT'])
    expect(session.sends).toHaveLength(1)
    expect((await job.settlement()) as JobSettlement).toMatchObject({ status: 'killed' })
  })

  it('stays completed when the command had ended before', async () => {
    const job = start()
    session.sends[0]?.settle('done\n', { exitCode: 0 })
    await job.control.kill()
    expect(session.signals).toEqual([])
    expect((await job.settlement()) as JobSettlement).toMatchObject({ status: 'completed' })
  })

  it('says when it was ended by the close of its terminal', async () => {
    const job = start()
    session.sends[0]?.resolve({
      kind: 'cancelled',
      reason: new TerminalError('SESSION_CLOSING', 'the terminal is being closed'),
      interruption: { delivered: 'SIGINT', targetPgid: 77 },
      viewport: { text: '', omittedLines: 0, omittedBytes: 0 },
      sessionStatus: { kind: 'running' },
    })
    expect(await job.settlement()).toEqual({
      status: 'killed',
      text: '[killed: the terminal is being closed; SIGINT was delivered to process group 77]',
    })
  })
})

describe('a background send that cannot wait on', () => {
  it('watches for the end while a person has the keyboard', async () => {
    const job = start()
    const [summary] = house.root.terminals.list(house.agent)
    if (summary) house.root.terminals.observers.claim(summary.sessionId, { kind: 'client', clientId: 'person' })
    session.sends[0]?.settle('', BUSY)
    expect(await job.settlement()).toBe('running')
    expect(session.sends).toHaveLength(1)
    session.emit({ type: 'command-finished', commandId: 'c', exitCode: 0, durationMs: 1 })
    expect(await job.settlement()).toEqual({ status: 'completed', text: '[exit 0]' })
  })

  it('ends as its shell did when that went before it could', async () => {
    const job = start()
    session.sends[0]?.settle('', BUSY)
    session.emit({ type: 'exited', status: { kind: 'exited', exitCode: 3 } })
    expect(await job.settlement()).toEqual({ status: 'failed', text: '[the terminal has ended (exit 3)]' })
    expect(job.activities.at(-1)?.detail).toContain('exit code 3')
  })

  it('is killed when its terminal has gone before it could', async () => {
    const job = start()
    session.sends[0]?.settle('', { exitCode: 0 })
    await job.settlement()
    await house.call('terminal_close', { sessionId })
    const end = await attendProgram(job.job, new AbortController().signal)
    expect(end).toMatchObject({ status: 'killed', facts: [{ text: 'killed: the terminal was closed' }] })
  })

  it('rejects when the backend breaks', async () => {
    const job = start()
    session.send = () => {
      throw new Error('broken')
    }
    session.sends[0]?.settle('', BUSY)
    await expect(job.control.done).rejects.toThrow('broken')
  })

  it('leaves no listener behind', async () => {
    const count = () => house.root.events._hooks['terminal/event']?.length ?? 0
    const before = count()
    const job = start()
    session.sends[0]?.settle('? ', { state: 'line' })
    await settle()
    expect(count()).toBe(before + 1)
    session.answers.push(settled(''))
    session.emit({ type: 'command-finished', commandId: 'c', exitCode: 0, durationMs: 1 })
    await job.settlement()
    expect(count()).toBe(before)
  })
})
