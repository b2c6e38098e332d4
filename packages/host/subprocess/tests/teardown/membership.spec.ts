import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identityKey, type MembershipFacts, resolveMembership } from '../../src/teardown/membership.js'
import type { ProcessRow } from '../../src/teardown/session-table.js'

const ROOT = { pid: 100, startTime: '1000' }
const HOST = 50

function createRow(row: Partial<ProcessRow> & { readonly pid: number }): ProcessRow {
  return {
    startTime: '2000',
    parentPid: 1,
    pgid: row.pid,
    sessionId: row.pid,
    tty: '',
    isZombie: false,
    command: 'program',
    ...row,
  }
}

const rootRow = createRow({ ...ROOT, parentPid: HOST, sessionId: 100, tty: 'ttys003', command: 'bash' })

function resolve(rows: readonly ProcessRow[], facts: Partial<MembershipFacts> = {}) {
  const { members, root, rootLedSession } = resolveMembership(rows, {
    root: ROOT,
    rootLedSession: false,
    known: new Set(),
    tagged: new Set(),
    protectedPids: new Set([HOST]),
    ...facts,
  })
  return { members: members.map((row) => row.pid), root: root?.pid, rootLedSession }
}

describe('resolveMembership', () => {
  it('takes descendants, children before their parents', () => {
    const rows = [rootRow, createRow({ pid: 200, parentPid: 100 }), createRow({ pid: 201, parentPid: 200 })]
    expect(resolve(rows)).toEqual({ members: [201, 200], root: 100, rootLedSession: true })
  })

  it('takes orphans of the session and of its terminal', () => {
    const rows = [
      rootRow,
      createRow({ pid: 200, sessionId: 100 }),
      createRow({ pid: 201, sessionId: 0, tty: 'ttys003' }),
    ]
    expect(resolve(rows).members.sort()).toEqual([200, 201])
  })

  it('takes what carries the tag, and everything below it', () => {
    const rows = [rootRow, createRow({ pid: 200 }), createRow({ pid: 201, parentPid: 200 })]
    expect(resolve(rows, { tagged: new Set(['200@2000']) }).members).toEqual([201, 200])
  })

  it('takes what was known before, by its exact identity', () => {
    const rows = [createRow({ pid: 200 }), createRow({ pid: 201, startTime: '2500' })]
    expect(resolve(rows, { known: new Set(['200@2000', '201@2000']) }).members).toEqual([200])
  })

  it('leaves the rest of the machine alone', () => {
    const rows = [rootRow, createRow({ pid: 300 }), createRow({ pid: 301, tty: 'ttys004' })]
    expect(resolve(rows).members).toEqual([])
  })

  it('takes no zombie', () => {
    expect(resolve([rootRow, createRow({ pid: 200, parentPid: 100, isZombie: true })]).members).toEqual([])
  })

  it('counts a zombie root as ended', () => {
    expect(resolve([{ ...rootRow, isZombie: true }]).root).toBeUndefined()
  })

  it('leaves the host’s session alone while the root still belongs to it', () => {
    const rows = [
      createRow({ ...ROOT, parentPid: HOST, sessionId: 40, tty: 'ttys001' }),
      createRow({ pid: 300, sessionId: 40, tty: 'ttys001' }),
    ]
    expect(resolve(rows)).toEqual({ members: [], root: 100, rootLedSession: false })
  })

  it('knows the session after its leader has gone, if it was seen to lead', () => {
    const rows = [createRow({ pid: 200, sessionId: 100 })]
    expect(resolve(rows, { rootLedSession: true }).members).toEqual([200])
    expect(resolve(rows, { rootLedSession: false }).members).toEqual([])
  })

  it('forgets the session once its number names another process', () => {
    const rows = [createRow({ pid: 100, startTime: '5000', sessionId: 100 }), createRow({ pid: 200, sessionId: 100 })]
    expect(resolve(rows, { rootLedSession: true })).toEqual({ members: [], root: undefined, rootLedSession: false })
  })

  it('takes nobody that is older than the root, whatever it shows', () => {
    const rows = [rootRow, createRow({ pid: 200, startTime: '999', sessionId: 100, tty: 'ttys003', parentPid: 100 })]
    expect(resolve(rows, { tagged: new Set(['200@999']), known: new Set(['200@999']) }).members).toEqual([])
  })

  it('never takes the host, its ancestors or init, in any table', () => {
    const protectedPids = new Set([HOST, 40, 1])
    const rows = fc.uniqueArray(
      fc.record({
        pid: fc.constantFrom(1, 40, HOST, 100, 200, 201, 202),
        parentPid: fc.constantFrom(0, 1, 40, HOST, 100, 200, 201),
        sessionId: fc.constantFrom(40, 100),
        tty: fc.constantFrom('', 'ttys003'),
        startTime: fc.constantFrom('500', '1000', '2000'),
      }),
      { selector: (row) => row.pid },
    )
    fc.assert(
      fc.property(rows, fc.boolean(), (partial, rootLedSession) => {
        const all = partial.map(createRow)
        const tagged = new Set(all.map(identityKey))
        const { members } = resolve(all, { protectedPids, tagged, known: tagged, rootLedSession })
        for (const pid of members) expect(protectedPids.has(pid)).toBe(false)
      }),
    )
  })
})
