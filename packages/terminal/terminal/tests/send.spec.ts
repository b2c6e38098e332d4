import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { buildHouse, look, settle } from './house.js'

useBaseline()

const REQUEST = { text: 'make', submit: true }

describe('a send', () => {
  it('refuses a second one in the same tick, before anything is written', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    terminals.send(owner, id, REQUEST)
    expect(() => terminals.send(owner, id, REQUEST)).toThrow(expect.objectContaining({ code: 'SEND_ACTIVE' }))
    expect(session.sends).toHaveLength(1)
    expect(terminals.get(owner, id).sending).toBe(true)
  })

  it('passes the request on as it is', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const request = { text: '\u0003 tab\t', submit: false, timeoutMs: 5, toolCallId: 'call-1' }
    terminals.send(owner, id, request)
    expect(session.lastSend.request).toBe(request)
  })

  it('keeps the reservation until the outcome has settled, a cancelled one too', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const send = terminals.send(owner, id, REQUEST)
    send.cancel('enough')
    expect(session.lastSend.cancels).toEqual(['enough'])
    await settle()
    expect(() => terminals.send(owner, id, REQUEST)).toThrow(expect.objectContaining({ code: 'SEND_ACTIVE' }))
    session.lastSend.settleCancelled('enough')
    expect(await send.outcome).toMatchObject({ kind: 'cancelled', reason: 'enough' })
    expect(() => terminals.send(owner, id, REQUEST)).not.toThrow()
  })

  it('leaves the terminal free in the very turn in which its outcome is known', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const send = terminals.send(owner, id, REQUEST)
    const successor = send.outcome.then(() => terminals.send(owner, id, REQUEST))
    session.lastSend.settle()
    await expect(successor).resolves.toBeDefined()
    expect(session.sends).toHaveLength(2)
  })

  it('does not pass a late cancel on to the backend', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const send = terminals.send(owner, id, REQUEST)
    session.lastSend.settle()
    await send.outcome
    terminals.send(owner, id, REQUEST)
    send.cancel('too late')
    expect(session.sends.map(({ cancels }) => cancels)).toEqual([[], []])
  })

  it('does not pass a late release on to the backend', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const send = terminals.send(owner, id, REQUEST)
    session.lastSend.settle()
    await send.outcome
    send.release?.('too late')
    expect(session.lastSend.releases).toEqual([])
  })

  it('releases the reservation when the backend throws', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    session.sendError = Object.assign(new Error('line too long'), { code: 'INPUT_TOO_LONG' })
    expect(() => terminals.send(owner, id, REQUEST)).toThrow(expect.objectContaining({ code: 'INPUT_TOO_LONG' }))
    session.sendError = undefined
    expect(() => terminals.send(owner, id, REQUEST)).not.toThrow()
  })

  it.each([new Error('broken'), 'broken'])(
    'fails, and never rejects, when the outcome of the backend rejects with %o',
    async (reason) => {
      const { terminals, openOne } = await buildHouse()
      const { owner, id, session } = await openOne()
      const send = terminals.send(owner, id, REQUEST)
      session.lastSend.settlement.reject(reason)
      expect(await send.outcome).toMatchObject({ kind: 'failed', error: { message: 'broken' } })
      expect(terminals.get(owner, id).sending).toBe(false)
    },
  )

  it('tells what has happened since the one before', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    terminals.send(owner, id, REQUEST)
    session.print('seen\r\n')
    session.lastSend.settle({ state: 'busy' })
    await settle()
    session.print('late\r\n')
    session.emit({ type: 'command-finished', commandId: 'c1', exitCode: 1, durationMs: 900 })
    const second = terminals.send(owner, id, { text: '', submit: false })
    session.lastSend.settle()
    const unseen = { lines: 1, exitCode: 1, durationMs: 900 }
    expect(await second.outcome).toMatchObject({ kind: 'settled', result: { unseen } })
    const third = terminals.send(owner, id, REQUEST)
    session.lastSend.settle()
    expect(await third.outcome).not.toHaveProperty('result.unseen')
  })

  it('counts as unseen what comes before it has begun', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const send = terminals.send(owner, id, { text: '', submit: false })
    session.lastSend.hasBegun = false
    session.emit({ type: 'command-finished', commandId: 'c1', exitCode: 130, durationMs: 5 })
    session.lastSend.hasBegun = true
    session.print('seen\r\n')
    session.lastSend.settle()
    expect(await send.outcome).toMatchObject({ result: { unseen: { lines: 0, exitCode: 130 } } })
  })

  it('that is cancelled leaves what has happened for the next one', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    session.print('late\r\n')
    const cancelled = terminals.send(owner, id, REQUEST)
    session.lastSend.settleCancelled('enough')
    expect(await cancelled.outcome).toMatchObject({ kind: 'cancelled' })
    const send = terminals.send(owner, id, REQUEST)
    session.lastSend.settle()
    expect(await send.outcome).toMatchObject({ result: { unseen: { lines: 1 } } })
  })

  it('that is refused by the backend leaves what has happened for the next one', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    session.print('late\r\n')
    session.sendError = new Error('line too long')
    expect(() => terminals.send(owner, id, REQUEST)).toThrow()
    session.sendError = undefined
    const send = terminals.send(owner, id, REQUEST)
    session.lastSend.settle()
    expect(await send.outcome).toMatchObject({ result: { unseen: { lines: 1 } } })
  })

  it('does not stop another terminal of the owner from sending', async () => {
    const { terminals, backend, openOne } = await buildHouse()
    const { owner, id } = await openOne()
    const opening = terminals.spawn(owner, { type: 'scripted' })
    backend.lastOpen.succeed()
    const other = (await opening).sessionId
    terminals.send(owner, id, REQUEST)
    expect(() => terminals.send(owner, other, REQUEST)).not.toThrow()
  })
})

describe('a signal', () => {
  it('is delivered while a send is active', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    terminals.send(owner, id, REQUEST)
    await expect(terminals.signal(owner, id, 'SIGTSTP')).resolves.toEqual({ delivered: true, targetPgid: 77 })
    expect(session.signals).toEqual(['SIGTSTP'])
  })

  it('is refused when it is not one of the allowed ones', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const signal = 'SIGSTOP' as 'SIGTSTP'
    await expect(terminals.signal(owner, id, signal)).rejects.toMatchObject({ code: 'SIGNAL_INVALID' })
    expect(session.signals).toEqual([])
  })
})

describe('an ended terminal', () => {
  it('refuses send, signal, input and resize with the code it ended with (B052)', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    session.exit(42)
    const ended = expect.objectContaining({ code: 'SESSION_ENDED', message: expect.stringContaining('exit code 42') })
    expect(() => terminals.send(owner, id, REQUEST)).toThrow(ended)
    await expect(terminals.signal(owner, id, 'SIGINT')).rejects.toEqual(ended)
    await expect(terminals.observers.input(id, 'someone', 'x')).rejects.toEqual(ended)
    expect(() => terminals.observers.resize(id, { columns: 9, rows: 9 })).toThrow(ended)
    expect(session.sends).toEqual([])
  })

  it('names the signal it was ended by', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    session.emit({ type: 'exited', status: { kind: 'signalled', signal: 'SIGKILL' } })
    expect(() => terminals.send(owner, id, REQUEST)).toThrow('was ended by SIGKILL')
  })

  it('keeps output and status readable (B068)', async () => {
    const { terminals, openOne, clock } = await buildHouse({ endedRetentionMs: 1_000 })
    const { owner, id, session } = await openOne()
    session.exit(3)
    clock.advance(999)
    expect(terminals.read(owner, id, {}).text).toBe('kept output')
    expect(terminals.list(owner)).toMatchObject([{ status: { kind: 'exited', exitCode: 3 } }])
    expect(terminals.hasOwnerActivity(owner)).toBe(true)
  })

  it('tells what lives on of it, and nothing where the backend cannot know (B064)', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    session.exit(0)
    expect(await terminals.remaining(owner, id)).toBeUndefined()
    const left = [{ pid: 12, command: 'sleep' }]
    Object.assign(session, { remaining: async () => left })
    expect(await terminals.remaining(owner, id)).toEqual(left)
  })

  it('is closed after the stated time', async () => {
    const { terminals, openOne, clock } = await buildHouse({ endedRetentionMs: 1_000 })
    const { owner, session } = await openOne()
    session.exit(0)
    clock.advance(1_000)
    session.lastClose.resolve({ killed: false })
    await settle()
    expect(terminals.list(owner)).toEqual([])
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
    expect(clock.pending).toBe(0)
  })

  it('makes room when more have ended than may be kept, the one that ended first going first', async () => {
    const { terminals, backend, openOne } = await buildHouse({ maxEndedPerOwner: 1 })
    const first = await openOne()
    const opening = terminals.spawn(first.owner, { type: 'scripted' })
    const second = backend.lastOpen.succeed()
    await opening
    second.exit(0)
    first.session.exit(0)
    expect(second.closes).toHaveLength(1)
    expect(first.session.closes).toEqual([])
  })

  it.each([true, false])('reports what its backend did when it is closed: killed %s', async (killed) => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    session.exit(0)
    const closing = terminals.close(owner, id)
    session.lastClose.resolve({ killed })
    expect(await closing).toEqual({ killed })
  })

  it('lets the send that saw the end settle with the verdict of the backend', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const send = terminals.send(owner, id, REQUEST)
    session.exit(42)
    expect(await look(send.outcome)).toEqual({ state: 'pending' })
    session.lastSend.settle({ waitReason: 'session_exit', sessionStatus: { kind: 'exited', exitCode: 42 } })
    expect(await send.outcome).toMatchObject({ result: { waitReason: 'session_exit' } })
  })

  it('that ended before it was published is published as ended', async () => {
    const { terminals, backend, createOwner } = await buildHouse()
    const owner = await createOwner()
    const opening = terminals.spawn(owner, { type: 'scripted' })
    backend.lastOpen.session.exit(1)
    backend.lastOpen.succeed()
    expect(await opening).toMatchObject({ status: { kind: 'exited', exitCode: 1 } })
  })
})
