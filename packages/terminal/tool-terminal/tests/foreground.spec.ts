import { TerminalError } from '@agent-terminals/terminal'
import { useBaseline } from '@agent-terminals/testing'
import type { ToolProgress } from '@agent-terminals/tools/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildHouse, type House, textOf } from './house.js'
import { settled } from './scripted-backend.js'

useBaseline()

let house: House
beforeEach(async () => {
  house = await buildHouse()
})
afterEach(() => house.dispose())

describe('a foreground send', () => {
  it('presses Enter unless told otherwise, and changes no byte of the text (B026, B076)', async () => {
    const { sessionId, session } = await house.open()
    const texts = ['<name> &amp;', "printf '%s' ;", '\t-x "$HOME" \\ 🐚\n\nlast', '\x03']
    session.answers.push(...texts.map(() => settled('')))
    for (const text of texts) await house.call('terminal_send', { sessionId, text })
    session.answers.push(settled(''))
    await house.call('terminal_send', { sessionId, text: '', submit: false })
    expect(session.sends.map(({ request }) => request.text)).toEqual([...texts, ''])
    expect(session.sends.map(({ request }) => request.submit)).toEqual([true, true, true, true, false])
  })

  it('passes the time limit on, and none when none is given', async () => {
    const { sessionId, session } = await house.open()
    session.answers.push(settled(''), settled(''))
    await house.call('terminal_send', { sessionId, text: 'a', timeoutMs: 2500 })
    await house.call('terminal_send', { sessionId, text: 'b' })
    expect(session.sends.map(({ request }) => request.timeoutMs)).toEqual([2500, undefined])
  })

  it('gives output and facts as text, and all of it as data', async () => {
    const { sessionId, session } = await house.open()
    session.answers.push(
      settled('no such file\n', {
        exitCode: 7,
        durationMs: 12,
        cwd: '/src/lib',
        notes: ['a note'],
        foreground: 'bash',
      }),
    )
    const call = await house.call('terminal_send', { sessionId, text: 'cat x' })
    expect(textOf(call)).toBe('no such file\n[exit 7]\n[cwd /src/lib]\n[a note]')
    expect(call.result.structured).toEqual({
      sessionId,
      text: 'no such file\n',
      waitReason: 'stdin_read',
      sessionStatus: { kind: 'running' },
      truncated: false,
      state: 'prompt',
      promptDetection: 'active',
      elapsedMs: 5,
      exitCode: 7,
      durationMs: 12,
      cwd: '/src/lib',
      foreground: 'bash',
      notes: ['a note'],
    })
  })

  it('says nothing about a directory that stayed the same', async () => {
    const { sessionId, session } = await house.open()
    session.answers.push(settled('ok\n', { exitCode: 0, cwd: '/src' }))
    expect(await house.text('terminal_send', { sessionId, text: 'true' })).toBe('ok\n')
  })

  it('names the directory of a backend that did not know it before', async () => {
    const { sessionId, session } = await house.open()
    session.description = { ...session.description, cwd: undefined }
    session.answers.push(settled('ok\n', { exitCode: 0, cwd: '/src' }))
    expect(await house.text('terminal_send', { sessionId, text: 'true' })).toBe('ok\n[cwd /src]')
    expect((await house.call('terminal_list', {})).result.structured?.sessions).toEqual([
      expect.not.objectContaining({ cwd: expect.anything() }),
    ])
  })

  it('counts as data what the backend left out', async () => {
    const { sessionId, session } = await house.open()
    const viewport = { text: 'a\nz\n', omittedLines: 1, omittedBytes: 900 }
    session.answers.push(settled('', { viewport, truncated: true, exitCode: 0 }))
    const { result } = await house.call('terminal_send', { sessionId, text: 'x' })
    expect(result.structured).toMatchObject({ omittedLines: 1, omittedBytes: 900, truncated: true })
  })

  it('keeps partial output on a timeout and says what to do (B070)', async () => {
    const { sessionId, session } = await house.open()
    session.answers.push(
      settled('part\n', { waitReason: 'timeout', state: 'busy', foreground: 'sleep', elapsedMs: 2000 }),
    )
    const call = await house.call('terminal_send', { sessionId, text: 'echo part; sleep 30', timeoutMs: 2000 })
    expect(textOf(call)).toMatch(/^part\n\[timeout: sleep is still running after 2\.0 s; wait on with text ""/)
    expect(call.result.isError).toBeUndefined()
  })

  it('shows a model no control characters, whatever the backend lets through (B101)', async () => {
    const { sessionId, session } = await house.open()
    session.answers.push(settled('\x1b]0;x\x07\x1b[2J\x1bP+q\x1b\\hi\n', { exitCode: 0 }))
    const { result } = await house.call('terminal_send', { sessionId, text: 'x' })
    expect(result.content).toEqual([{ type: 'text', text: 'hi\n' }])
    expect(result.structured?.text).toBe('hi\n')
  })

  it('streams raw output as progress, escapes included, in order', async () => {
    const { sessionId, session } = await house.open()
    const seen: ToolProgress[] = []
    const calling = house.call('terminal_send', { sessionId, text: 'x' }, { onProgress: (each) => seen.push(each) })
    const send = await session.waitForSend(1)
    send.request.onOutput?.('\x1b[31mre')
    send.request.onOutput?.('d\x1b[0m\r\n')
    send.settle('red\n')
    await calling
    expect(seen.map(({ text }) => text).join('')).toBe('\x1b[31mred\x1b[0m\r\n')
  })

  it('narrows the claim to its call', async () => {
    const { sessionId, session } = await house.open()
    session.answers.push(settled(''))
    await house.call('terminal_send', { sessionId, text: 'x' }, { callId: 'call-7' })
    expect(session.sends[0]?.request.toolCallId).toBe('call-7')
  })

  it('is refused while another is active, and writes nothing', async () => {
    const { sessionId, session } = await house.open()
    const first = house.call('terminal_send', { sessionId, text: 'sleep 9' })
    const send = await session.waitForSend(1)
    const refused = await house.call('terminal_send', { sessionId, text: 'echo hi' })
    expect(refused.result.code).toBe('SEND_ACTIVE')
    expect(textOf(refused)).toMatch(/nothing was written\. terminal_read looks on, .* another terminal is free\.\n/)
    expect(session.sends).toHaveLength(1)
    send.settle('')
    await first
  })

  it('is refused without a word about jobs where there are none', async () => {
    const bare = await buildHouse({ withJobs: false })
    const { sessionId, session } = await bare.open()
    const first = bare.call('terminal_send', { sessionId, text: 'sleep 9' })
    const send = await session.waitForSend(1)
    const refused = await bare.text('terminal_send', { sessionId, text: 'echo hi' })
    expect(refused).toContain('nothing was written')
    expect(refused).not.toContain('job_list')
    send.settle('')
    await first
    await bare.dispose()
  })

  it('is refused on an ended terminal, with its code (B052)', async () => {
    const { sessionId, session } = await house.open()
    session.emit({ type: 'exited', status: { kind: 'exited', exitCode: 42 } })
    const call = await house.call('terminal_send', { sessionId, text: 'echo hi' })
    expect(call.result.code).toBe('SESSION_ENDED')
    expect(textOf(call)).toContain('42')
    expect(session.sends).toEqual([])
  })

  it('is refused while a person has the keyboard', async () => {
    const { sessionId, session } = await house.open()
    const [summary] = house.root.terminals.list(house.agent)
    if (summary) house.root.terminals.observers.claim(summary.sessionId, { kind: 'client', clientId: 'person' })
    expect((await house.call('terminal_send', { sessionId, text: 'x' })).result.code).toBe('CLAIMED_BY_CLIENT')
    expect(session.sends).toEqual([])
  })

  it('says when a person takes the keyboard in the middle of it', async () => {
    const { sessionId, session } = await house.open()
    const calling = house.text('terminal_send', { sessionId, text: 'x' })
    const send = await session.waitForSend(1)
    const [summary] = house.root.terminals.list(house.agent)
    if (summary) house.root.terminals.observers.claim(summary.sessionId, { kind: 'client', clientId: 'person' })
    send.settle('ok\n', { exitCode: 0 })
    expect(await calling).toMatch(/^ok\n\[a person has taken the keyboard;/)
  })

  it('passes a failed send on with its code', async () => {
    const { sessionId, session } = await house.open()
    session.answers.push({
      kind: 'failed',
      error: new TerminalError('INPUT_TOO_LONG', 'Line 3 has 5000 bytes; cat takes 4096.'),
    })
    const call = await house.call('terminal_send', { sessionId, text: 'x' })
    expect(call.result.code).toBe('INPUT_TOO_LONG')
    expect(textOf(call)).toContain('cat takes 4096')
  })
})

describe('a cancelled foreground send', () => {
  it('cancels the send, awaits the interruption and rejects with the very reason of the caller (B050)', async () => {
    const { sessionId, session } = await house.open()
    const reason = new Error('the user pressed stop')
    const controller = new AbortController()
    let isOver = false
    const calling = house
      .call('terminal_send', { sessionId, text: 'echo a; sleep 60' }, { signal: controller.signal })
      .finally(() => {
        isOver = true
      })
    const send = await session.waitForSend(1)
    controller.abort(reason)
    expect(send.request.signal?.aborted).toBe(true)
    expect(send.request.signal?.reason).toBe(reason)
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
    send.resolve({
      kind: 'cancelled',
      reason,
      interruption: { delivered: 'SIGINT', targetPgid: 77 },
      viewport: { text: 'a\n', omittedLines: 0, omittedBytes: 0 },
      sessionStatus: { kind: 'running' },
    })
    await expect(calling).rejects.toBe(reason)
    session.page = { ...session.page, text: 'a\n' }
    expect(await house.text('terminal_read', { sessionId })).toBe('a\n')
    session.answers.push(settled('next\n', { exitCode: 0 }))
    expect(await house.text('terminal_send', { sessionId, text: 'echo next' })).toBe('next\n')
  })

  it('writes nothing when it was cancelled before it began', async () => {
    const { sessionId, session } = await house.open()
    const reason = new Error('never mind')
    await expect(
      house.call('terminal_send', { sessionId, text: 'x' }, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    expect(session.sends).toEqual([])
  })

  it('has a code of its own when what ended it has none', async () => {
    const { sessionId, session } = await house.open()
    session.answers.push({
      kind: 'cancelled',
      reason: 'no longer needed',
      interruption: { delivered: 'SIGINT', targetPgid: 77 },
      viewport: { text: '', omittedLines: 0, omittedBytes: 0 },
      sessionStatus: { kind: 'running' },
    })
    const call = await house.call('terminal_send', { sessionId, text: 'x' })
    expect(call.result).toMatchObject({ isError: true, code: 'SEND_CANCELLED' })
  })

  it('is an error that keeps the output when something else has ended it', async () => {
    const { sessionId, session } = await house.open()
    session.answers.push({
      kind: 'cancelled',
      reason: new TerminalError('SESSION_CLOSING', 'the terminal is being closed'),
      interruption: { delivered: 'SIGINT', targetPgid: 77 },
      viewport: { text: 'a\n', omittedLines: 0, omittedBytes: 0 },
      sessionStatus: { kind: 'running' },
    })
    const call = await house.call('terminal_send', { sessionId, text: 'x' })
    expect(textOf(call)).toBe(
      'a\n[cancelled: the terminal is being closed; SIGINT was delivered to process group 77]\n[error SESSION_CLOSING]',
    )
    expect(call.result).toMatchObject({ isError: true, code: 'SESSION_CLOSING', structured: { text: 'a\n' } })
  })
})
