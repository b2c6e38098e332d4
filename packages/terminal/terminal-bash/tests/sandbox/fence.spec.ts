/** The mode of a session cannot change behind the back of its terminals. */
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildConfinedHouse, type ConfinedHouse } from '../support/confined-house.js'

useBaseline()

let house: ConfinedHouse
beforeEach(async () => {
  house = await buildConfinedHouse({ mode: 'workspace-write' })
})
afterEach(() => house.close())

const change = () => house.ctx.sandboxPolicy.setMode(house.agent.session, 'danger-full-access')
const mode = () => house.ctx.sandboxPolicy.resolve({ session: house.agent.session }).mode
const refusal = (text: string) =>
  expect.objectContaining({ code: 'MODE_IN_USE', message: expect.stringContaining(text) })

it('is kept while a terminal is open, which the refusal names, and free once it is closed', async () => {
  const terminal = await house.open({ name: 'build' })
  const events = house.agent.session.events.length
  expect(change).toThrowError(refusal(`Close ${terminal.opened.sessionId} ("build").`))
  expect(() => house.agent.session.append('sandbox/mode', { mode: 'read-only' })).toThrowError(refusal('Close'))
  expect(house.agent.session.events).toHaveLength(events)
  expect(mode()).toBe('workspace-write')
  await terminal.close()
  change()
  expect(mode()).toBe('danger-full-access')
})

it('is kept from the very call that opens a terminal on', async () => {
  const opening = house.open({ name: 'build' })
  expect(change).toThrowError(refusal('Wait until'))
  expect(change).toThrowError(refusal('("build") has been opened'))
  const terminal = await opening
  expect(change).toThrowError(refusal('Close'))
  await terminal.close()
  change()
})

it('is kept at every turn of the event loop between the call and the first prompt', async () => {
  let isOpen = false
  const opening = house.open().then((terminal) => {
    isOpen = true
    return terminal
  })
  while (!isOpen) {
    expect(change).toThrowError(refusal(''))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(change).toThrowError(refusal('Close'))
  await (await opening).close()
})

it('is kept while a terminal is being closed', async () => {
  const terminal = await house.open()
  const closing = terminal.close()
  expect(change).toThrowError(refusal('has been closed'))
  await closing
  change()
})

it('is free at once when a start has failed or was aborted', async () => {
  await expect(house.open({ cwd: '/missing' })).rejects.toMatchObject({ code: 'CWD_MISSING' })
  change()
  const abort = new AbortController()
  const opening = house.open({ signal: abort.signal })
  abort.abort('changed my mind')
  await expect(opening).rejects.toBe('changed my mind')
  house.ctx.sandboxPolicy.setMode(house.agent.session, 'read-only')
  expect(mode()).toBe('read-only')
})

it('is free while an ended terminal can still be read', async () => {
  const terminal = await house.open()
  await terminal.send('echo kept; exit')
  change()
  expect(mode()).toBe('danger-full-access')
  expect(terminal.read().text).toContain('kept')
})

it('takes effect on the next terminal and on no other', async () => {
  const attempt = `echo broken > ${house.secret}`
  const confined = await house.open()
  expect((await confined.send(attempt)).exitCode).not.toBe(0)
  await confined.close()
  change()
  const free = await house.open()
  expect((await free.send(`cat ${house.secret}; ${attempt}`)).viewport.text).toBe('untouched')
  expect((await free.send(`cat ${house.secret}`)).viewport.text).toBe('broken\n')
  expect(() => house.ctx.sandboxPolicy.setMode(house.agent.session, 'read-only')).toThrowError(refusal('Close'))
})

it('may be written again as it is behind an open terminal', async () => {
  await house.open()
  house.ctx.sandboxPolicy.setMode(house.agent.session, 'workspace-write')
  expect(mode()).toBe('workspace-write')
})

it('of one session does not hang on the terminals of another', async () => {
  await house.open()
  const other = await house.ctx.agents.create({ cwd: house.workspace })
  house.ctx.sandboxPolicy.setMode(other.session, 'read-only')
  expect(house.ctx.sandboxPolicy.resolve({ session: other.session }).mode).toBe('read-only')
})
