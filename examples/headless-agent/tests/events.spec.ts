/** What this agent writes down: results, bounds and errors as the model got them, prepared and from a real shell. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootComposition } from '../../../packages/app/cli/src/boot/boot.js'
import { runCli } from '../../../packages/app/cli/tests/run-cli.js'

useBaseline()

const at = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))

let cwd: string
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'example-headless-')))
})
afterAll(() => rmSync(cwd, { recursive: true }))

interface Line {
  readonly type: string
  readonly data: { readonly tool?: string; readonly args?: unknown; readonly result?: Result; readonly text?: string }
}
interface Result {
  readonly content: readonly { readonly text: string }[]
  readonly isError?: boolean
}

/** What the model said, called and read. */
function renderEvents(stdout: string): string {
  return stdout
    .trimEnd()
    .split('\n')
    .flatMap((text) => {
      const { type, data } = JSON.parse(text) as Line
      if (type === 'tool/call') return [`> ${data.tool} ${JSON.stringify(data.args)}`]
      if (type === 'tool/result') {
        return [`${data.result?.isError ? '! ' : ''}${data.result?.content.map((block) => block.text).join('\n')}`]
      }
      // When a job is heard of is a matter of time.
      return data.text === undefined || type.startsWith('job/') ? [] : [`${type}: ${data.text}`]
    })
    .join('\n')
}

function normalise(text: string): string {
  return text
    .replaceAll(cwd, 'CWD')
    .replace(/\bterm-(?!unknown)[a-z0-9]+/g, 'term-1')
    .replace(/\bpid \d+/g, 'pid PID')
    .replace(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'TIME')
}

describe.each([
  ['cordis.snapshot.yml', 'prepared'],
  ['cordis.snapshot-64.yml', 'prepared-64'],
  ['cordis.real.yml', 'real'],
])('%s', (file, name) => {
  test('gives what is recorded', async () => {
    const { code, stdout, stderr } = await runCli(['headless', '--config', at(file), 'count', 'close'], { cwd })
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    await expect(`${normalise(renderEvents(stdout))}\n`).toMatchFileSnapshot(`__snapshots__/${name}.txt`)
  })
})

test('the tools a model of this composition sees are the recorded ones', async () => {
  const { ctx, dispose } = await bootComposition({ configFile: at('cordis.snapshot.yml') })
  try {
    const tools = ctx.tools.list().map(({ name, description }) => ({
      name,
      description,
      input: ctx.tools.inputSchema(name),
    }))
    await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot('__snapshots__/tools.json.snap')
  } finally {
    await dispose()
  }
})
