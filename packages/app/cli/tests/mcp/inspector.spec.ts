/**
 * The MCP inspector's command line, as its package `@modelcontextprotocol/inspector-cli` has it. The whole inspector needs
 * Node 22 from 0.16.1 on; its command line runs on Node 20 by itself up to 0.17.0.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bin, startHttp } from './mcp-server.js'

useBaseline()

const inspector = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli')
let workspace: string
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-inspector-')))
})
afterAll(() => rmSync(workspace, { recursive: true }))

function inspect(target: readonly string[], args: readonly string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [inspector, '--cli', ...target, ...args],
      { cwd: workspace },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`))
        else resolve(JSON.parse(stdout))
      },
    )
  })
}

const overStdio = [process.execPath, bin, 'mcp']

test('lists the tools, calls one, and its data fit the announced schema', async () => {
  const { tools } = ListToolsResultSchema.parse(await inspect(overStdio, ['--method', 'tools/list']))
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['terminal_open', 'terminal_send', 'job_output']),
  )
  const result = CallToolResultSchema.parse(
    await inspect(overStdio, ['--method', 'tools/call', '--tool-name', 'terminal_open', '--tool-arg', 'type=shell']),
  )
  const validate = new Ajv2020({ strict: false }).compile(
    tools.find(({ name }) => name === 'terminal_open')?.outputSchema ?? false,
  )
  expect(validate(result.structuredContent), JSON.stringify(validate.errors)).toBe(true)
})

test.each([
  ['resources/list', { resources: [] }],
  ['resources/templates/list', { resourceTemplates: [expect.objectContaining({ uriTemplate: expect.any(String) })] }],
  ['prompts/list', { prompts: [expect.objectContaining({ name: 'terminal_guidance' })] }],
])('%s', async (method, expected) => {
  expect(await inspect(overStdio, ['--method', method])).toEqual(expected)
})

test('speaks to the HTTP endpoint with the printed token', async () => {
  const server = await startHttp(workspace)
  const target = [server.url, '--transport', 'http', '--header', `Authorization: Bearer ${server.token}`]
  const result = CallToolResultSchema.parse(
    await inspect(target, ['--method', 'tools/call', '--tool-name', 'terminal_list']),
  )
  expect(result.structuredContent).toEqual({ sessions: [] })
  await server.stop()
})
