import { expect } from 'vitest'
import { CARDS, runCalls, send } from '../house.js'
import { concludeRun, outputsOf, updatesOf } from './reading.js'
import type { CaseRegistry } from './registry.js'

export function addRegistrationCases({ case: one }: CaseRegistry): void {
  one(8, 'the first message about a command registers its card', async () => {
    const run = await runCalls([send('echo hello')])
    const [first] = updatesOf(run.client, run.sessionId, run.callId)
    expect(first).toMatchObject({
      sessionUpdate: 'tool_call',
      title: 'echo hello',
      kind: 'execute',
      content: [{ type: 'terminal', terminalId: run.callId }],
      _meta: { terminal_info: { terminal_id: run.callId, cwd: run.house.cwd } },
    })
    expect(concludeRun(run).view.card).toMatchObject({ label: 'echo hello', header: run.house.cwd })
  })

  one(9, 'a command in a subdirectory names that directory', async () => {
    const run = await runCalls([send('mkdir sub; cd sub'), send('pwd')])
    expect(concludeRun(run).view.card?.header).toBe(`${run.house.cwd}/sub`)
  })

  one(10, 'the same command twice has two cards', async () => {
    const run = await runCalls([send('echo same'), send('echo same')])
    const [, first = '', second = ''] = run.client.callIds(run.sessionId)
    expect(first).not.toBe(second)
    expect(run.client.view(run.sessionId, first).card?.text).toBe('same\r\n')
    expect(run.client.view(run.sessionId, second).card?.text).toBe('same\r\n')
    concludeRun(run)
  })

  one(11, 'two commands at once keep their own texts', async () => {
    const background = send('for i in 1 2 3 4 5; do echo back$i; sleep 0.02; done; read x', { run_in_background: true })
    const other = { tool: 'terminal_open', args: { type: 'shell' }, as: 'other' } as const
    const foreground = {
      tool: 'terminal_send',
      args: { sessionId: '${other.sessionId}', text: 'for i in 1 2 3 4 5; do echo front$i; sleep 0.02; done' },
    }
    const run = await runCalls([other, background, foreground])
    const [, , first = '', second = ''] = run.client.callIds(run.sessionId)
    await run.client.until('the background has printed all', () =>
      outputsOf(run.client, run.sessionId, first).join('').includes('back5'),
    )
    expect(outputsOf(run.client, run.sessionId, first).join('')).toBe('back1\r\nback2\r\nback3\r\nback4\r\nback5\r\n')
    expect(outputsOf(run.client, run.sessionId, second).join('')).toBe(
      'front1\r\nfront2\r\nfront3\r\nfront4\r\nfront5\r\n',
    )
  })

  one(12, 'a command of 20,000 characters has a shortened title and a whole rawInput', async () => {
    const command = `: ${'x'.repeat(20_000)}`
    const run = await runCalls([send(command)])
    const [first] = updatesOf(run.client, run.sessionId, run.callId)
    expect(String(first?.title)).toHaveLength(4000)
    expect(String(first?.title).endsWith('…')).toBe(true)
    expect(first?.rawInput).toMatchObject({ text: command })
    concludeRun(run)
  })

  one(13, 'line breaks, quotes and backticks stand in the title as typed', async () => {
    const command = 'echo "a `echo b`" \\\n  \'c\' # **d**'
    const run = await runCalls([send(command)])
    expect(concludeRun(run).view.title).toBe(command)
    expect(concludeRun(run).text).toBe('a b c\r\n')
  })

  one(14, 'a program that cannot be started still has a card that says why', async () => {
    const run = await runCalls([send('exit 0'), send('echo never')], { meta: CARDS })
    const { status, exit, text } = concludeRun(run)
    expect({ status, exit }).toEqual({ status: 'failed', exit: [null, null] })
    expect(text).toMatch(/ended/)
  })
}
