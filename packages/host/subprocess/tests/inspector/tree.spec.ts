import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listAncestry, listTree, orderParentsFirst } from '../../src/inspector/tree.js'

/** Any table, cycles and missing parents included. */
const tables = fc.uniqueArray(fc.record({ pid: fc.integer({ min: 1, max: 40 }), parentPid: fc.nat(45) }), {
  selector: (row) => row.pid,
  maxLength: 30,
})

describe('listTree', () => {
  it('lists the roots and everything below them, parents first', () => {
    const rows = [
      { pid: 9, parentPid: 8 },
      { pid: 8, parentPid: 1 },
      { pid: 7, parentPid: 9 },
      { pid: 3, parentPid: 1 },
    ]
    expect(listTree(rows, [8]).map((row) => row.pid)).toEqual([8, 9, 7])
  })

  it('holds every child of what it lists, once, for any table', () => {
    fc.assert(
      fc.property(tables, fc.array(fc.nat(40)), (rows, roots) => {
        const listed = listTree(rows, roots).map((row) => row.pid)
        expect(new Set(listed).size).toBe(listed.length)
        for (const row of rows) {
          const belongs = roots.includes(row.pid) || listed.includes(row.parentPid)
          expect(listed.includes(row.pid)).toBe(belongs)
        }
      }),
    )
  })
})

describe('orderParentsFirst', () => {
  it('puts no child before its parent', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Array.from({ length: 30 }, (_, at) => at + 1)), fc.nat(29), (pids, step) => {
        const rows = pids.map((pid) => ({ pid, parentPid: Math.floor((pid * step) / 30) }))
        const order = orderParentsFirst(rows).map((row) => row.pid)
        for (const { pid, parentPid } of rows) {
          if (order.includes(parentPid)) expect(order.indexOf(parentPid)).toBeLessThan(order.indexOf(pid))
        }
      }),
    )
  })

  it('keeps every row of a table with cycles', () => {
    fc.assert(
      fc.property(tables, (rows) => {
        expect(new Set(orderParentsFirst(rows))).toEqual(new Set(rows))
      }),
    )
  })
})

describe('listAncestry', () => {
  it('ends at a parent that is not listed and at a cycle', () => {
    expect(listAncestry([{ pid: 5, parentPid: 4 }], 5)).toEqual([5, 4])
    expect(
      listAncestry(
        [
          { pid: 5, parentPid: 4 },
          { pid: 4, parentPid: 5 },
        ],
        5,
      ),
    ).toEqual([5, 4])
  })
})
