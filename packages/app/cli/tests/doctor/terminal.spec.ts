import { describe, expect, test } from 'vitest'
import { checkIntegration, checkShell } from '../../src/doctor/terminal.js'
import { failed, settled } from './outcomes.js'

describe('the shell', () => {
  test('is named with its version', () => {
    expect(checkShell(settled({}, '5.2.15(1)-release\n'))).toEqual({
      name: 'shell',
      status: 'ok',
      detail: 'bash 5.2.15(1)-release',
    })
  })

  test.each([
    ['3.2.57(1)-release', true],
    ['4.3.48(1)-release', true],
    ['4.4.0(1)-release', false],
  ])('bash %s has something to be told: %s', (version, isTold) => {
    expect(checkShell(settled({}, version)).notes !== undefined).toBe(isTold)
  })

  test('that shows no prompt is a failure with the reason', () => {
    expect(checkShell(settled({ waitReason: 'timeout', state: 'busy' }))).toMatchObject({
      status: 'fail',
      detail: 'no prompt after a command: timeout, busy',
    })
    expect(checkShell(failed)).toMatchObject({ status: 'fail', detail: expect.stringMatching(/the shell is gone/) })
  })
})

describe('the integration', () => {
  test('is right when marks, exit code and directory are', () => {
    expect(checkIntegration(settled({ exitCode: 7, cwd: '/' })).status).toBe('ok')
  })

  test.each([
    [settled({ exitCode: 0, cwd: '/' }), 'exit code 0 instead of 7'],
    [settled({ exitCode: 7, cwd: '/home' }), 'directory /home instead of /'],
    [
      settled({ promptDetection: 'lost' }),
      'prompt marks are lost; exit code unknown instead of 7; directory unknown instead of /',
    ],
    [failed, 'failed: the shell is gone'],
    [{ kind: 'cancelled', reason: 0, interruption: { delivered: 'none' }, ...stopped() } as const, 'cancelled'],
  ])('is a warning otherwise, which says what is wrong: %#', (outcome, detail) => {
    expect(checkIntegration(outcome)).toMatchObject({ status: 'warn', detail, cost: expect.any(String) })
  })
})

function stopped() {
  return { viewport: { text: '', omittedLines: 0, omittedBytes: 0 }, sessionStatus: { kind: 'running' } } as const
}
