import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../src/failures.js'
import type { TerminalEvent } from '../src/index.js'
import { buildHouse, settle } from './house.js'

useBaseline()

function describeEvent(event: TerminalEvent): string {
  return event.type === 'data' ? `data ${new TextDecoder().decode(event.bytes)}` : event.type
}

describe('events', () => {
  it('come in order, begin with opened and end with closed, for observers and on the context', async () => {
    const { root, terminals, backend, createOwner } = await buildHouse()
    const byObserver: string[] = []
    const byContext: string[] = []
    terminals.observers.on('*', (_id, event) => byObserver.push(describeEvent(event)))
    root.on('terminal/event', (_id, event) => void byContext.push(describeEvent(event)))
    const owner = await createOwner()
    const opening = terminals.spawn(owner, { type: 'scripted' })
    const { session } = backend.lastOpen
    session.print('before')
    session.emit({ type: 'cwd-changed', cwd: '/work' })
    await settle()
    expect(byObserver).toEqual([])
    backend.lastOpen.succeed()
    const { sessionId } = await opening
    session.print('after')
    session.emit({ type: 'command-executed', commandId: '1', commandLine: 'ls' })
    session.emit({ type: 'command-finished', commandId: '1', exitCode: 0, durationMs: 3 })
    terminals.observers.resize(sessionId, { columns: 10, rows: 10 })
    const closing = terminals.close(owner, sessionId)
    session.exit(0)
    session.lastClose.resolve({ killed: true })
    await closing
    session.print('too late')
    await settle()
    const expected = [
      'opened',
      'data before',
      'cwd-changed',
      'data after',
      'command-executed',
      'command-finished',
      'resized',
      'exited',
      'closed',
    ]
    expect(byObserver).toEqual(expected)
    expect(byContext).toEqual(expected)
  })

  it('carry the summary and the exact owner when a terminal opens', async () => {
    const { terminals, openOne } = await buildHouse()
    const seen: TerminalEvent[] = []
    terminals.observers.on('*', (_id, event) => void seen.push(event))
    const { owner, id } = await openOne({ name: 'main' })
    await settle()
    const [event] = seen
    expect(event).toMatchObject({ type: 'opened', summary: { sessionId: id, name: 'main' } })
    expect(event?.type === 'opened' && event.owner).toBe(owner)
  })

  it('of one terminal reach a listener for that terminal only', async () => {
    const { terminals, openOne } = await buildHouse()
    const first = await openOne()
    const second = await openOne()
    const seen: string[] = []
    terminals.observers.on(first.id, (_id, event) => seen.push(describeEvent(event)))
    second.session.print('second')
    first.session.print('first')
    await settle()
    expect(seen).toEqual(['data first'])
  })

  it('are not delivered inside the call of the backend', async () => {
    const { terminals, openOne } = await buildHouse()
    const { id, session } = await openOne()
    const order: string[] = []
    terminals.observers.on(id, () => order.push('delivered'))
    session.print('x')
    order.push('returned')
    await settle()
    expect(order).toEqual(['returned', 'delivered'])
  })

  it('before a listener was added do not reach it, so a snapshot and the events after it fit together', async () => {
    const { terminals, openOne } = await buildHouse()
    const { id, session } = await openOne()
    const seen: string[] = []
    terminals.observers.on('*', () => {})
    session.print('in the snapshot')
    terminals.observers.on(id, (_id, event) => seen.push(describeEvent(event)))
    session.print('after it')
    await settle()
    expect(seen).toEqual(['data after it'])
  })

  it('hold output of their own, whatever the backend does with its memory afterwards', async () => {
    const { terminals, openOne, createOwner, backend } = await buildHouse()
    const { id, session } = await openOne()
    const seen: string[] = []
    terminals.observers.on('*', (_id, event) => seen.push(describeEvent(event)))
    const memory = new TextEncoder().encode('kept')
    session.emit({ type: 'data', bytes: memory })
    memory.fill(0)
    const opening = terminals.spawn(await createOwner(), { type: 'scripted' })
    const early = new TextEncoder().encode('early')
    backend.lastOpen.session.emit({ type: 'data', bytes: early })
    early.fill(0)
    backend.lastOpen.succeed()
    expect((await opening).sessionId).not.toBe(id)
    await settle()
    expect(seen).toEqual(['data kept', 'opened', 'data early'])
  })

  it('stop for a listener at once when it is released, also for events on their way', async () => {
    const { terminals, openOne } = await buildHouse()
    const { id, session } = await openOne()
    const seen: string[] = []
    const release = terminals.observers.on(id, (_id, event) => seen.push(describeEvent(event)))
    session.print('x')
    release()
    await settle()
    expect(seen).toEqual([])
  })

  it('reach every listener although one throws and one rejects, which is logged', async () => {
    const { root, terminals, openOne, logged } = await buildHouse()
    const { id, session } = await openOne()
    const seen: string[] = []
    terminals.observers.on(id, () => {
      throw new Error('bad observer')
    })
    root.on('terminal/event', () => {
      throw new Error('bad listener')
    })
    const rejecting: () => Promise<void> = () => Promise.reject(new Error('bad promise'))
    terminals.observers.on(id, rejecting)
    terminals.observers.on(id, (_id, event) => seen.push(describeEvent(event)))
    root.on('terminal/event', (_id, event) => void seen.push(describeEvent(event)))
    session.print('x')
    await settle()
    expect(seen).toEqual(['data x', 'data x'])
    expect(logged.map(messageOf)).toEqual(expect.arrayContaining(['bad observer', 'bad listener', 'bad promise']))
  })

  it('keep their order when a listener causes more of them', async () => {
    const { terminals, openOne } = await buildHouse()
    const { id, session } = await openOne()
    const seen: string[] = []
    terminals.observers.on(id, (_id, event) => {
      if (event.type === 'data') terminals.observers.claim(id, { kind: 'client', clientId: 'ui' })
    })
    terminals.observers.on(id, (_id, event) => seen.push(describeEvent(event)))
    session.print('one')
    session.print('two')
    await settle()
    expect(seen).toEqual(['data one', 'data two', 'claimed'])
  })

  it('show a state that has already changed', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const statuses: string[] = []
    terminals.observers.on(id, () => statuses.push(terminals.get(owner, id).status.kind))
    session.exit(0)
    await settle()
    expect(statuses).toEqual(['exited'])
  })

  it('come once for an exit that is reported twice', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const seen: string[] = []
    terminals.observers.on(id, (_id, event) => seen.push(describeEvent(event)))
    session.exit(3)
    session.exit(4)
    await settle()
    expect(seen).toEqual(['exited'])
    expect(terminals.get(owner, id).status).toEqual({ kind: 'exited', exitCode: 3 })
  })
})

describe('observers', () => {
  it('see every terminal, whoever owns it, but no unpublished one', async () => {
    const { terminals, openOne, createOwner } = await buildHouse()
    const first = await openOne()
    const second = await openOne()
    void terminals.spawn(await createOwner(), { type: 'scripted' })
    expect(terminals.observers.list().map(({ sessionId }) => sessionId)).toEqual([first.id, second.id])
    expect(terminals.observers.read(second.id, {}).text).toBe('kept output')
  })

  it('still get a list when a backend cannot describe a terminal', async () => {
    const { terminals, openOne, logged } = await buildHouse()
    const { session } = await openOne()
    await openOne()
    session.describe = () => {
      throw new Error('no description')
    }
    expect(terminals.observers.list()).toHaveLength(2)
    expect(logged.map(messageOf)).toContain('no description')
  })

  it('resize a terminal once, and hear of it', async () => {
    const { terminals, openOne } = await buildHouse()
    const { id, session } = await openOne()
    const seen: TerminalEvent[] = []
    terminals.observers.on(id, (_id, event) => void seen.push(event))
    terminals.observers.resize(id, { columns: 100, rows: 40 })
    terminals.observers.resize(id, { columns: 100, rows: 40 })
    await settle()
    expect(session.sizes).toEqual([{ columns: 100, rows: 40 }])
    expect(seen).toEqual([{ type: 'resized', size: { columns: 100, rows: 40 } }])
    expect(terminals.observers.get(id)?.size).toEqual({ columns: 100, rows: 40 })
    expect(() => terminals.observers.resize(id, { columns: 0, rows: 40 })).toThrow(
      expect.objectContaining({ code: 'SIZE_INVALID' }),
    )
  })
})
