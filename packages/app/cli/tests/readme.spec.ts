import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { demoPrompts } from '../src/demo/script.js'

const readme = readFileSync(fileURLToPath(new URL('../../../../README.md', import.meta.url)), 'utf8')
const transcript = /```text\n(.*?)```/s.exec(readme)?.[1] ?? ''

test('the transcript in the README has the chapters of the demo, in order, and its verdicts', () => {
  const headings = transcript.split('\n').filter((line) => demoPrompts.includes(line))
  expect(headings).toEqual(demoPrompts)
  expect(transcript).toContain(`✔ ${demoPrompts.length} chapters, every step as promised`)
  expect(transcript).toContain('✔ process table clean: nothing that was started is still running')
})
