import { useBaseline } from '@agent-terminals/testing'
import { expect, test } from 'vitest'
import { runCli } from './run-cli.js'

useBaseline()

test('the demo boots the shipped composition, keeps every promise and leaves nothing running', async () => {
  const { code, stdout, stderr } = await runCli(['demo'])
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('✔ 7 chapters, every step as promised')
  expect(stdout).toContain('✔ process table clean')
  expect(stdout, 'colour is for people').not.toContain('\u001b')
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s in the middle closes everything and ends with 130', async (name) => {
  let sent = false
  const { code, stdout, stderr } = await runCli(['demo'], {
    onOutput(soFar, kill) {
      if (sent || !soFar.includes('A Python REPL')) return
      sent = true
      kill(name)
    },
  })
  expect(code, stdout).toBe(130)
  expect(stderr).toBe(`agent-terminals: ${name}: closing what was started.\n`)
  expect(stdout).toContain('✔ process table clean')
})
