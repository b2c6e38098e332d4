import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { useBaseline } from '@agent-terminals/testing'
import { expect, it } from 'vitest'

useBaseline()

const RUN = fileURLToPath(new URL('../../soak/run.mjs', import.meta.url))
const run = (...args: readonly string[]) => promisify(execFile)(process.execPath, [RUN, ...args])

/** Needs a build, as everything in `bench` does. */
it('a short soak holds, and reports what it did', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'soak-test-'))
  try {
    const file = join(directory, 'soak.json')
    const { stdout } = await run('--minutes', '0.2', '--agents', '3', '--seed', '1', '--json', file).catch(
      (error: { readonly stdout: string }) => error,
    )
    expect(stdout).toContain('everything held')
    const report = JSON.parse(readFileSync(file, 'utf8'))
    expect(report).toMatchObject({ seed: 1, minutes: 0.2, agents: 3, breaks: [] })
    expect(Object.keys(report.actions).length).toBeGreaterThan(5)
    expect(report.stocks).toHaveLength(report.waves)
  } finally {
    rmSync(directory, { recursive: true })
  }
}, 240_000)

it.each([
  [['--minutes', 'ten'], '--minutes must be a number above 0, not ten'],
  [['--seed', '1.5'], '--seed must be a whole number, not 1.5'],
  [['--agents', '0'], '--agents must be a whole number above 0, not 0'],
  [['--hours', '1'], "Unknown option '--hours'"],
])('refuses %j and says why', async (args, message) => {
  await expect(run(...args)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})
