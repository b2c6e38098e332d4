/** Orders of events that a real run gives only sometimes. */
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { CallDisplay } from '../src/call-display.js'
import { Config } from '../src/config.js'
import { UpdateQueue } from '../src/update-queue.js'

function createDisplay() {
  const sent: SessionUpdate[] = []
  const queue = new UpdateQueue(async (update) => void sent.push(update))
  const display = new CallDisplay({
    gate: { kind: 'cards', outputKey: 'terminal_output' },
    config: Config.parse({}),
    queue,
    asksFor: () => false,
    findTerminal: () => ({ cwd: '/project' }),
    exitOf: () => ({ exitCode: 3, signal: null }),
  })
  return { display, queue, sent }
}

const call = (text: string) => ({
  callId: 'c1',
  tool: 'terminal_send',
  args: { sessionId: 's', text, run_in_background: true },
  presentation: { card: 'generic', kind: 'execute', title: `Background: ${text}` } as const,
})
const result = (structured: Readonly<Record<string, unknown>>, isError = false) => ({
  callId: 'c1',
  tool: 'terminal_send',
  result: { content: [{ type: 'text', text: 'told' } as const], structured, isError },
  presentation: { card: 'generic', kind: 'execute', title: 'Background' } as const,
  durationMs: 1,
  outcome: isError ? ('failed' as const) : ('completed' as const),
})

const tails = (sent: readonly SessionUpdate[]) =>
  sent.slice(1).map((update) => ({ status: 'status' in update ? update.status : undefined, meta: update._meta }))

test('a job that settles before its call has a result still ends its card', async () => {
  const { display, queue, sent } = createDisplay()
  display.handleCall(call('false'))
  display.handleSettled('job-1', 'failed')
  display.handleResult(result({ sessionId: 's', jobId: 'job-1' }))
  await queue.idle()
  expect(tails(sent)).toEqual([
    { status: 'completed', meta: undefined },
    { status: undefined, meta: { terminal_output: { terminal_id: 'c1', data: '[exited with code 3]\r\n' } } },
    { status: undefined, meta: { terminal_exit: { terminal_id: 'c1', exit_code: 3, signal: null } } },
  ])
})

test('a background send that is refused closes its card with the reason', async () => {
  const { display, queue, sent } = createDisplay()
  display.handleCall(call('make'))
  display.handleResult(result({}, true))
  await queue.idle()
  expect(tails(sent)).toEqual([
    { status: undefined, meta: { terminal_output: { terminal_id: 'c1', data: 'told\r\n' } } },
    { status: 'failed', meta: { terminal_exit: { terminal_id: 'c1', exit_code: null, signal: null } } },
  ])
})

test('a call that is still open at the end of its turn is closed, a program in the background is not', async () => {
  const { display, queue, sent } = createDisplay()
  display.handleCall(call('serve'))
  display.handleResult(result({ jobId: 'job-1' }))
  display.handleCall({ ...call('stuck'), callId: 'c2' })
  display.closeOpenCalls('[interrupted]')
  await queue.idle()
  const exits = sent.filter(({ _meta }) => _meta && 'terminal_exit' in _meta)
  expect(exits).toMatchObject([{ toolCallId: 'c2', status: 'failed' }])
  display.closeAll('[stopped]')
  display.closeAll('[stopped]')
  await queue.idle()
  expect(sent.filter(({ _meta }) => _meta && 'terminal_exit' in _meta)).toHaveLength(2)
})

test('a queue whose connection has gone drops what is left and settles', async () => {
  const sent: string[] = []
  const queue = new UpdateQueue(async (update) => {
    if (sent.length === 1) throw new Error('gone')
    sent.push(update.sessionUpdate)
  })
  const message = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } } as const
  for (let count = 0; count < 3; count++) queue.add(() => [message, message])
  await queue.idle()
  expect(sent).toHaveLength(1)
})
