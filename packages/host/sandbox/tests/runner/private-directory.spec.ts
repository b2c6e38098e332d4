import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPrivateDirectories } from '../../src/runner/private-directory.js'

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'private-')))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const namespace = () => (process.platform === 'linux' ? /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] : '0')
/** The number of a process that has just ended. */
const endedPid = () => execFileSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim()

test('a directory is the process’s own, and gone with everything in it once removed', async () => {
  const directories = createPrivateDirectories(base)
  const path = await directories.create()
  expect(path.startsWith(`${base}/agent-terminals-`)).toBe(true)
  mkdirSync(join(path, 'a'))
  writeFileSync(join(path, 'a/b'), 'x')
  await directories.remove(path)
  expect(readdirSync(base)).toEqual([])
})

test('what is still there at the end of the process goes at once', async () => {
  const directories = createPrivateDirectories(base)
  await directories.create()
  await directories.create()
  directories.removeAllNow()
  expect(readdirSync(base)).toEqual([])
})

test('what a killed host left is swept up before the first new one', async () => {
  const left = join(base, `agent-terminals-${namespace()}-${endedPid()}-abcdef`)
  mkdirSync(join(left, 'deep'), { recursive: true })
  const path = await createPrivateDirectories(base).create()
  expect(existsSync(left)).toBe(false)
  expect(existsSync(path)).toBe(true)
})

test.each([
  ['a host that still runs', () => `agent-terminals-${namespace()}-${process.ppid}-abcdef`],
  ['a host of another process namespace', () => `agent-terminals-1-${endedPid()}-abcdef`],
  ['anything of another name', () => `agent-terminals-${namespace()}-${endedPid()}-abcdef.kept`],
])('the directory of %s stays', async (_title, name) => {
  const other = join(base, name())
  mkdirSync(other)
  await createPrivateDirectories(base).create()
  expect(existsSync(other)).toBe(true)
})
