import { expect, test } from 'vitest'
import { admitRequest, isLoopback, listHostNames, parseBearer } from '../../src/core/http-guard.js'

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '::1'])('%s is loopback', (host) => {
  expect(isLoopback(host)).toBe(true)
})
test.each(['0.0.0.0', '::', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', '1127.0.0.1', ''])(
  '%s is not loopback',
  (host) => {
    expect(isLoopback(host)).toBe(false)
  },
)

test.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['Bearer  abc ', 'abc'],
  ['Bearer a b', undefined],
  ['Bearer', undefined],
  ['Basic abc', undefined],
  ['xBearer abc', undefined],
  ['', undefined],
  [undefined, undefined],
])('the token of %j is %j', (header, token) => {
  expect(parseBearer(header)).toBe(token)
})

test('host names carry the port, which browsers leave out at 80', () => {
  expect(listHostNames('127.0.0.1', 8080, ['Proxy.Example'])).toEqual([
    'localhost:8080',
    '127.0.0.1:8080',
    '[::1]:8080',
    'proxy.example',
  ])
  expect(listHostNames('10.0.0.1', 80, [])).toEqual(['10.0.0.1:80', '10.0.0.1'])
})

test.each([
  'evil.example@localhost:8080',
  'localhost:8080/evil.example',
  'localhost:8080?',
  'localhost:8080#',
  'localhost',
])('the Host header %s names no one of ours', (host) => {
  const policy = { hosts: listHostNames('127.0.0.1', 8080, []), origins: [] }
  expect(admitRequest({ host, origin: undefined, hasToken: true }, policy)).toMatchObject({ status: 403 })
})

test('host and origin are looked at before the token, so that a refused page learns nothing about it', () => {
  const policy = { hosts: ['a'], origins: ['http://o'] }
  const status = (host: string | undefined, origin: string | undefined, hasToken: boolean) => {
    const admission = admitRequest({ host, origin, hasToken }, policy)
    return admission.kind === 'refused' ? admission.status : 200
  }
  expect(status('b', undefined, true)).toBe(403)
  expect(status(undefined, undefined, true)).toBe(403)
  expect(status('a', 'http://p', true)).toBe(403)
  expect(status('a', 'http://p', false)).toBe(403)
  expect(status('a', undefined, false)).toBe(401)
  expect(status('A', 'HTTP://O', true)).toBe(200)
})
