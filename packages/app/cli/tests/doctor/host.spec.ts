import { describe, expect, test } from 'vitest'
import { checkNode, checkPty, checkPtyLibrary } from '../../src/doctor/host.js'

test.each([
  ['20.18.3', 'fail'],
  ['18.20.0', 'fail'],
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
])('Node %s is %s', (version, status) => {
  expect(checkNode(version).status).toBe(status)
})

describe('the PTY library', () => {
  test.each([
    ['prebuilt', 'node-pty 1.2.3, prebuilt binary'],
    ['compiled', 'node-pty 1.2.3, compiled on this machine'],
  ] as const)('is named with its origin: %s', (origin, detail) => {
    expect(checkPtyLibrary({ kind: 'native', version: '1.2.3', origin })).toEqual({
      name: 'pty library',
      status: 'ok',
      detail,
    })
  })

  test('without the known binding is a warning that says what it costs', () => {
    expect(checkPtyLibrary({ kind: 'portable', version: '1.0.0' })).toMatchObject({
      status: 'warn',
      cost: expect.stringMatching(/can be lost/),
      advice: expect.stringMatching(/node-pty/),
    })
  })

  test('that does not load is a failure with the reason', () => {
    expect(checkPtyLibrary({ kind: 'broken', message: 'wrong ELF class' })).toMatchObject({
      status: 'fail',
      detail: 'wrong ELF class',
      cost: expect.any(String),
      advice: expect.stringMatching(/python3, make and a C\+\+ compiler/),
    })
  })
})

test('a PTY that opens is named, and one that does not is a failure with the reason', async () => {
  expect(await checkPty(async () => ({ kind: 'works', ttyPath: '/dev/pts/4' }))).toMatchObject({
    status: 'ok',
    detail: 'opens as /dev/pts/4',
  })
  expect(await checkPty(async () => ({ kind: 'works', ttyPath: undefined }))).toMatchObject({ detail: 'opens' })
  expect(await checkPty(async () => ({ kind: 'failed', message: 'No PTY: all in use.' }))).toMatchObject({
    status: 'fail',
    detail: 'No PTY: all in use.',
  })
})
