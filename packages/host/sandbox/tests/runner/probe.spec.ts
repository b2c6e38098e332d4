import { describe, expect, test } from 'vitest'
import { probeRunner } from '../../src/runner/probe.js'
import type { Runner } from '../../src/runner/runner.js'

const runner = (change: Partial<Runner>): Runner => ({
  name: 'bwrap',
  platform: process.platform,
  canDenyNetwork: true,
  endsDescendants: true,
  limits: ['One.'],
  advice: 'Install it.',
  findObstacle: () => undefined,
  isHidden: () => false,
  wrap: ({ argv }) => ({ argv, env: {} }),
  ...change,
})

describe('a probe', () => {
  test('of a runner that cannot be tried says why and what to do', async () => {
    expect(await probeRunner(runner({ findObstacle: () => 'it is not on PATH' }))).toEqual({
      runner: 'bwrap',
      usable: false,
      network: true,
      detail: 'it is not on PATH',
      limits: ['One.'],
      advice: 'Install it.',
    })
  })

  test('of a runner of another platform has nothing to advise', async () => {
    const platform = process.platform === 'darwin' ? 'linux' : 'darwin'
    const probe = await probeRunner(runner({ platform }))
    expect(probe).toMatchObject({ usable: false, detail: `works on ${platform} only` })
    expect(probe).not.toHaveProperty('advice')
  })

  test('of a runner that confines nothing says so', async () => {
    expect(await probeRunner(runner({}))).toMatchObject({
      usable: false,
      detail: 'a write outside the workspace was not refused',
      advice: 'Install it.',
    })
  })

  test('of a runner that starts nothing has its first words', async () => {
    const wrap: Runner['wrap'] = () => ({ argv: ['/bin/sh', '-c', 'echo no namespaces >&2; exit 1'], env: {} })
    expect(await probeRunner(runner({ wrap }))).toMatchObject({ usable: false, detail: 'no namespaces' })
  })
})
