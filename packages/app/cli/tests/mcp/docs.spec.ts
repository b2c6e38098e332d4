/** What docs/mcp.md tells people to type works, or at least cannot be misread by a program. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { useBaseline } from '@agent-terminals/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runCli } from '../run-cli.js'
import { bin } from './mcp-server.js'

useBaseline()

const docs = readFileSync(new URL('../../../../../docs/mcp.md', import.meta.url), 'utf8')
const blocksOf = (language: string) =>
  [...docs.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, found, text]) =>
    found === language && text ? [text] : [],
  )

test('the plain SDK client runs as it is written', async () => {
  const [snippet = ''] = blocksOf('js')
  // The one change: this checkout's command in place of the published package.
  const published = "command: 'npx', args: ['-y', 'agent-terminals', 'mcp']"
  expect(snippet).toContain(published)
  const local = `command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(bin)}, 'mcp']`
  // Beside this test, so that the SDK is found as by a user's program.
  const directory = mkdtempSync(fileURLToPath(new URL('snippet-', import.meta.url)))
  try {
    const file = `${directory}/client.mjs`
    writeFileSync(file, snippet.replace(published, local))
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: directory })
    expect(stdout).toMatch(/^progress: step 1\n/)
    expect(stdout).toMatch(/step 1\nstep 2\nstep 3\n exit code 0\n$/)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('every JSON snippet starts the command with options that exist', async () => {
  const entry = z.object({
    command: z.literal('npx'),
    args: z.tuple([z.literal('-y'), z.literal('agent-terminals'), z.literal('mcp')], z.string()),
  })
  const file = z.union([
    z.object({ mcpServers: z.object({ terminals: entry }) }),
    z.object({ servers: z.object({ terminals: entry.extend({ type: z.literal('stdio') }) }) }),
  ])
  const snippets = blocksOf('json').map((text) => file.parse(JSON.parse(text)))
  expect(snippets).toHaveLength(3)
  const { stdout } = await runCli(['mcp', '--help'])
  const options = new Set([...docs.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option))
  for (const foreign of ['--transport', '--header', '--mcp-http']) options.delete(foreign)
  for (const option of options) expect(stdout, option).toContain(option)
})
