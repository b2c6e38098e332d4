import { describe, expect, it } from 'vitest'
import { ClientBook } from '../../src/host/client-book.js'

function bookOf(maxClients = 10) {
  const clock = { now: 1_000 }
  return { clock, book: new ClientBook(maxClients, () => clock.now) }
}
const refused = expect.objectContaining({ code: -32009 })

describe('the book of clients', () => {
  it('binds an id to the principal that used it first, also after it has left', () => {
    const { book } = bookOf()
    book.enter('a', 'ada', '1.0.0')
    book.leave('a')
    expect(() => book.enter('a', 'mallory', '1.0.0')).toThrow(refused)
    book.enter('a', 'ada', '0.9.0')
    expect(book.versionOf('a')).toBe('0.9.0')
  })

  it('knows how long a client has been gone, from its last connection on', () => {
    const { book, clock } = bookOf()
    book.enter('a', 'ada', '1.0.0')
    book.enter('a', 'ada', '1.0.0')
    book.leave('a')
    clock.now += 500
    expect(book.goneMs('a', 0)).toBe(0)
    book.leave('a')
    clock.now += 500
    expect(book.goneMs('a', 0)).toBe(500)
    expect(book.goneMs('never here', clock.now - 20)).toBe(20)
  })

  it('forgets a principal’s own clients that are gone, longest first, and nobody else’s', () => {
    const { book } = bookOf(3)
    book.enter('victim', 'ada', '1.0.0')
    book.leave('victim')
    for (const clientId of ['m1', 'm2', 'm3', 'm4']) {
      book.enter(clientId, 'mallory', '1.0.0')
      book.leave(clientId)
    }
    expect(['m1', 'm2', 'm3', 'm4'].map((each) => book.principalOf(each) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(() => book.enter('victim', 'mallory', '1.0.0')).toThrow(refused)
  })

  it('refuses when there is no room and nothing to forget', () => {
    const { book } = bookOf(2)
    book.enter('a', 'ada', '1.0.0')
    book.enter('b', 'ada', '1.0.0')
    expect(() => book.enter('c', 'ada', '1.0.0')).toThrow(refused)
  })
})
