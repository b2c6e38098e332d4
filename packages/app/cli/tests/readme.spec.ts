import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { demoPrompts } from '../src/demo/script.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const readme = readFileSync(`${root}README.md`, 'utf8')
const transcript = /```text\n(.*?)```/s.exec(readme)?.[1] ?? ''

test('the transcript in the README has the chapters of the demo, in order, and its verdicts', () => {
  const headings = transcript.split('\n').filter((line) => demoPrompts.includes(line))
  expect(headings).toEqual(demoPrompts)
  expect(transcript).toContain(`✔ ${demoPrompts.length} chapters, every step as promised`)
  expect(transcript).toContain('✔ process table clean: nothing that was started is still running')
})

test('the command that the README gives to MCP clients is there in a clone', () => {
  const command = /^claude mcp add terminals -- (.*)$/m.exec(readme)?.[1] ?? 'false'
  const help = execFileSync('sh', ['-c', `${command} --help`], { cwd: root, encoding: 'utf8' })
  expect(help).toContain('Usage: agent-terminals mcp')
})
