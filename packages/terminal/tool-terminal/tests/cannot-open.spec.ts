/** Openings that cannot succeed, as a model reads them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SubprocessService } from '@agent-terminals/subprocess/contract'
import { useBaseline } from '@agent-terminals/testing'
import { joinBlocks } from '@agent-terminals/text'
import { afterEach, describe, expect, it } from 'vitest'
import { buildRealHouse, type RealHouse, type RealHouseOptions } from './real-house.js'

useBaseline()

let house: RealHouse | undefined
afterEach(async () => {
  await house?.dispose()
  house = undefined
})

const openIn = async (options: RealHouseOptions, args: Record<string, unknown> = {}) => {
  house = await buildRealHouse({}, options)
  const { result } = await house.call('terminal_open', { type: 'shell', ...args })
  return { result, text: joinBlocks(result.content) }
}

/** A host that has no PTY to give, as its real messages say it. */
const withoutPtys = (service: SubprocessService): SubprocessService => ({
  environment: () => service.environment(),
  resolveExecutable: (name) => service.resolveExecutable(name),
  spawnTerminal: () =>
    Promise.reject(
      Object.assign(new Error('No PTY can be opened: all 4096 are in use. Close terminals, or raise kernel.pty.max.'), {
        code: 'PTY_UNAVAILABLE',
      }),
    ),
})

describe('terminal_open', () => {
  it('names a working directory that is missing, and what it was for (B083)', async () => {
    const { result, text } = await openIn({}, { cwd: '/nowhere/at/all' })
    expect(result).toMatchObject({ isError: true, code: 'CWD_MISSING' })
    expect(text).toMatch(/directory.*\/nowhere\/at\/all/)
  })

  it('names a shell that is missing, and what to do (B083)', async () => {
    const { result, text } = await openIn({ shell: { shell: '/nowhere/bash' } })
    expect(result).toMatchObject({ isError: true, code: 'SHELL_MISSING' })
    expect(text).toContain('/nowhere/bash')
    expect(text).toMatch(/Install it, or set `shell`/)
  })

  it('names a shell that is no program, and gives no terminal', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'no-shell-'))
    const file = join(directory, 'bash')
    writeFileSync(file, 'not executable', { mode: 0o644 })
    const { result, text } = await openIn({ shell: { shell: file } })
    expect(result).toMatchObject({ isError: true, code: 'SHELL_MISSING' })
    expect(text).toContain(file)
    expect(await house?.text('terminal_list', {})).toMatch(/no terminals/)
    rmSync(directory, { recursive: true })
  })

  it('says why there is no PTY, never giving a pipe instead (B085)', async () => {
    const { result, text } = await openIn({ replaceSubprocess: withoutPtys })
    expect(result).toMatchObject({ isError: true, code: 'PTY_UNAVAILABLE' })
    expect(text).toMatch(/all 4096 are in use.*raise kernel\.pty\.max/)
    expect(await house?.text('terminal_list', {})).toMatch(/no terminals/)
  })

  it('refuses more terminals than an owner may have, with the limit and advice', async () => {
    house = await buildRealHouse({}, { terminal: { maxSessionsPerOwner: 1 } })
    const sessionId = await house.open()
    const { result } = await house.call('terminal_open', { type: 'shell' })
    expect(result).toMatchObject({ isError: true, code: 'LIMIT_REACHED' })
    expect(joinBlocks(result.content)).toMatch(/1 .*[Cc]lose/s)
    await house.call('terminal_close', { sessionId })
    await house.open()
  })
})
