import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BundledProgram, bundleProgram } from '../support/bundle-program.js'

const canConfine = spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0

describe.skipIf(!canConfine)('a policy that denies PTYs (needs bwrap and the right to use it)', () => {
  let program: BundledProgram
  beforeAll(async () => {
    program = await bundleProgram(fileURLToPath(new URL('../support/open-one.ts', import.meta.url)))
  })
  afterAll(() => program.remove())

  function openUnder(...policy: string[]): {
    readonly code?: string
    readonly message?: string
    readonly outcome?: object
  } {
    const { stdout, stderr } = spawnSync('bwrap', [...policy, process.execPath, program.path], { encoding: 'utf8' })
    return stdout === '' ? { message: stderr } : JSON.parse(stdout)
  }

  it('is not in the way when the device is there', () => {
    expect(openUnder('--dev-bind', '/', '/')).toEqual({ outcome: { kind: 'code', code: 0 } })
  })

  it.each([
    ['hides the device', 'ENOENT', 'Mount devpts', ['--tmpfs', '/dev', '--dev-bind', '/dev/null', '/dev/null']],
    ['puts another device in its place', 'ENOTTY', 'real device', ['--dev-bind', '/dev/null', '/dev/ptmx']],
  ])('is named with the device and what to change when it %s', (_, code, advice, policy) => {
    const answer = openUnder('--dev-bind', '/', '/', ...policy)
    expect(answer).toMatchObject({ code: 'PTY_UNAVAILABLE' })
    expect(answer.message).toContain(`opening /dev/ptmx fails with ${code}`)
    expect(answer.message).toContain(advice)
  })
})
