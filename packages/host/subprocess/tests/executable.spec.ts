import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveExecutable } from '../src/executable.js'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'executable-'))
  await mkdir(join(root, 'first'))
  await mkdir(join(root, 'second/tool'), { recursive: true })
  await writeFile(join(root, 'first/tool'), '', { mode: 0o644 })
  await writeFile(join(root, 'plain'), '')
  await mkdir(join(root, 'third'))
  await writeFile(join(root, 'third/tool'), '')
  await chmod(join(root, 'third/tool'), 0o755)
})
afterAll(() => rm(root, { recursive: true }))

describe('resolveExecutable', () => {
  it('takes the first file that can be executed', async () => {
    const path = ['first', 'second', 'third'].map((name) => join(root, name)).join(':')
    expect(await resolveExecutable('tool', path)).toBe(join(root, 'third/tool'))
  })

  it('checks an absolute path and returns it', async () => {
    expect(await resolveExecutable(join(root, 'third/tool'), '')).toBe(join(root, 'third/tool'))
  })

  it('says where it looked and what it nearly took', async () => {
    const path = `${root}/first`
    const failure = resolveExecutable('tool', path)
    await expect(failure).rejects.toMatchObject({ code: 'EXECUTABLE_MISSING' })
    await expect(failure).rejects.toThrow(
      `tool was not found in PATH (${path}). ${path}/tool is not executable (chmod +x).`,
    )
  })

  it.each([
    ['an absent file', 'absent', 'does not exist'],
    ['a directory', 'first', 'is not a file'],
    ['a file without x bit', 'plain', 'is not executable'],
  ])('refuses %s by absolute path', async (_, name, complaint) => {
    const failure = resolveExecutable(join(root, name), '/bin')
    await expect(failure).rejects.toMatchObject({ code: 'EXECUTABLE_MISSING' })
    await expect(failure).rejects.toThrow(`${join(root, name)} ${complaint}`)
  })

  it.each(['', './tool', 'sub/tool'])('refuses %j, which depends on the working directory', async (name) => {
    await expect(resolveExecutable(name, root)).rejects.toThrow('neither an absolute path nor a bare name')
  })

  it('ignores relative entries of PATH', async () => {
    await expect(resolveExecutable('tool', '.::third')).rejects.toThrow('PATH (empty)')
  })
})
