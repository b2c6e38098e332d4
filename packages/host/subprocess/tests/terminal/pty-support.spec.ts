import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadBinding } from '../../src/terminal/binding.js'
import { createPtyError, readPtyFacts, requireHelper, resolveOpenPty } from '../../src/terminal/pty-support.js'
import { openDevice, openNative } from './open-device.js'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pty-support-'))
})
afterAll(() => rm(root, { recursive: true }))

describe('resolveOpenPty', () => {
  it.each(['win32', 'aix'])('refuses %s and says where terminals work', (platform) => {
    expect(() => resolveOpenPty(platform)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_PLATFORM' }))
    expect(() => resolveOpenPty(platform)).toThrow(`Terminals need Linux or macOS; this is ${platform}`)
  })

  it('takes the helper of macOS for granted nowhere', () => {
    const binding = loadBinding()
    if (!binding) throw new Error('the pinned node-pty has a native binding')
    const helperPath = join(root, 'absent')
    expect(() => resolveOpenPty('darwin', { ...binding, helperPath })).toThrow(`${helperPath} does not exist`)
  })
})

describe('requireHelper', () => {
  it('names the file and the command that mends a missing x bit', async () => {
    const helper = join(root, 'spawn-helper')
    await writeFile(helper, '')
    await chmod(helper, 0o644)
    expect(() => requireHelper('darwin', helper)).toThrow(expect.objectContaining({ code: 'PTY_UNAVAILABLE' }))
    expect(() => requireHelper('darwin', helper)).toThrow(`${helper} is not executable. Run: chmod +x '${helper}'`)
    await chmod(helper, 0o755)
    requireHelper('darwin', helper)
  })

  it('needs no helper on Linux', () => {
    requireHelper('linux', join(root, 'absent'))
  })
})

describe('readPtyFacts', () => {
  it('finds a device that opens here', () => {
    expect(readPtyFacts()).toMatchObject({ device: '/dev/ptmx', deviceErrorCode: undefined })
  })

  it('leaves no descriptor open', () => {
    const before = captureBaseline().terminals
    for (let round = 0; round < 20; round++) readPtyFacts()
    expect(captureBaseline().terminals).toBe(before)
  })
})

it('keeps the system’s own words as the cause', () => {
  const cause = new Error('forkpty(3) failed.')
  const error = createPtyError(cause, readPtyFacts())
  expect(error).toMatchObject({ code: 'PTY_UNAVAILABLE', cause })
})

describe.skipIf(spawnSync('prlimit', ['--version']).status !== 0)(
  'when this process may open no more files (needs prlimit to set the limit)',
  () => {
    const limitFiles = (limit: string) => execFileSync('prlimit', ['--pid', `${process.pid}`, `--nofile=${limit}:`])

    it('says so, names the device and leaves nothing open', () => {
      const fillers: number[] = []
      let failure: unknown
      limitFiles('200')
      try {
        for (;;) fillers.push(openSync('/dev/null', 'r'))
      } catch {
        // Full: now nothing but the attempt runs until there is room again.
        try {
          openDevice(openNative(), ['/bin/cat'])
        } catch (cause) {
          failure = createPtyError(cause, readPtyFacts())
        }
      } finally {
        for (const fd of fillers) closeSync(fd)
        limitFiles('4096')
      }
      expect(failure).toMatchObject({ code: 'PTY_UNAVAILABLE' })
      expect(String(failure)).toMatch(/opening \/dev\/ptmx fails with EMFILE.*ulimit -n/)
      expect(captureBaseline().terminals).toBe(0)
    })
  },
)
