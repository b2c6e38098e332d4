import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BundledProgram, bundleProgram } from './support/bundle-program.js'

useBaseline()

describe('a host under a lowered limit of descriptors', () => {
  let program: BundledProgram
  beforeAll(async () => {
    program = await bundleProgram(fileURLToPath(new URL('./support/open-one.ts', import.meta.url)))
  })
  afterAll(() => program.remove())

  it.each([
    ['at', 250],
    ['beyond', 251],
    ['below', 249],
  ])('opens a terminal with an inherited descriptor %s the limit', (_, fd) => {
    const script = `exec ${fd}</dev/null; ulimit -n 250; exec "$0" "$@"`
    const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, program.path, '/bin/true'], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({ outcome: { kind: 'code', code: 0 } })
  })
})
