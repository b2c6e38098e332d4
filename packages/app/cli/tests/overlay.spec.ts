/** Compositions that include others. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from './run-cli.js'

useBaseline()

const shipped = readFileSync(fileURLToPath(new URL('../cordis.yml', import.meta.url)), 'utf8')

let directory: string
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'overlay-')))
  writeFileSync(join(directory, 'calls.json'), JSON.stringify({ prompts: [{ reply: 'found' }] }))
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Run a prompt with an overlay on a composition. */
function runOverlay(base: string, patches: readonly object[], ...more: readonly string[]) {
  writeFileSync(join(directory, 'base.yml'), base)
  const include = { id: 'base', name: 'cordis:include', config: { path: './base.yml', patches } }
  // JSON is YAML.
  writeFileSync(join(directory, 'overlay.yml'), JSON.stringify([include]))
  return runCli(['headless', '--config', join(directory, 'overlay.yml'), ...more, 'go'])
}

const SCRIPT = { id: 'agent-loop', config: { model: { kind: 'script', path: './calls.json' } } }

test('an overlay patches what it includes, and a script is looked up beside it', async () => {
  const { code, stdout, stderr } = await runOverlay(shipped, [SCRIPT])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('"text":"found"')
})

test('what is wrong in an included composition is named like anything else', async () => {
  const missing = await runOverlay(`${shipped}\n- id: ghost\n  name: '@agent-terminals/ghost'\n`, [SCRIPT])
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toMatch(/@agent-terminals\/ghost: cannot be loaded: .*ghost/s)
  const bad = await runOverlay(shipped, [SCRIPT, { id: 'tool-terminal', config: { maxResultBytes: 63 } }])
  expect(bad).toMatchObject({ code: 1, stdout: '' })
  expect(bad.stderr).toMatch(/@agent-terminals\/tool-terminal: .*maxResultBytes/s)
})

test('an option that reaches only into the file itself says so instead of doing nothing', async () => {
  const { code, stderr } = await runOverlay(shipped, [SCRIPT], '--script', join(directory, 'calls.json'))
  expect(code).toBe(1)
  expect(stderr).toMatch(/overlay\.yml has no entry with the id agent-loop/)
})
