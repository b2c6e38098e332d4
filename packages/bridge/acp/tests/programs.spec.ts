/** Real programs on cards, as a person would see them. */
import { listDescendants, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterEach, expect, test } from 'vitest'
import { concludeRun, outputsOf } from './cases/reading.js'
import { buildHouse, CARDS, disposeHouses, runCalls, send } from './house.js'

useBaseline()
afterEach(disposeHouses)

test('a coloured test run keeps its colours and fails with its code', async () => {
  const suite = `printf '\\033[32m✓\\033[0m adds\\n\\033[31m✗\\033[0m subtracts\\n'; (exit 1)`
  const { text, status, view } = concludeRun(await runCalls([send(suite)]))
  expect(text).toBe('\x1b[32m✓\x1b[0m adds\r\n\x1b[31m✗\x1b[0m subtracts\r\n')
  expect({ status, failed: view.card?.failed }).toEqual({ status: 'failed', failed: true })
})

test('a progress bar passes with its carriage returns', async () => {
  const bar = `for i in 1 2 3; do printf '\\r%s/3' $i; sleep 0.01; done; echo`
  expect(concludeRun(await runCalls([send(bar)])).text).toBe('\r1/3\r2/3\r3/3\r\n')
})

test('a REPL has a card per line; only its end has a code', async () => {
  const run = await runCalls([send('python3 -q'), send('print(6 * 7)'), send('exit(5)')])
  const [, start = '', line = '', end = ''] = run.client.callIds(run.sessionId)
  expect(concludeRun(run).exit).toEqual([5, null])
  expect(run.client.view(run.sessionId, start)).toMatchObject({ status: 'completed', card: { failed: false } })
  expect(run.client.view(run.sessionId, line)).toMatchObject({ status: 'completed', card: { label: 'print(6 * 7)' } })
  expect(run.client.view(run.sessionId, line).card?.text).toContain('42\r\n')
  expect(run.client.view(run.sessionId, line).card?.exit).toEqual({ exitCode: undefined, signal: undefined })
  expect(run.client.view(run.sessionId, end).status).toBe('failed')
})

test('50 MB cost a card of bounded size, and its last line is there', async () => {
  const run = await runCalls([
    send('yes 0123456789abcdef0123456789abcdef | head -c 52428800; echo; echo last', { timeoutMs: 300_000 }),
  ])
  const { text, status } = concludeRun(run)
  expect(status).toBe('completed')
  expect(Buffer.byteLength(text)).toBeLessThan(4 * 1024 * 1024 + 1024)
  expect(text).toMatch(/\[4[\d,]+ bytes left out\]/)
  expect(text.endsWith('last\r\n')).toBe(true)
}, 300_000)

test('a key that ends a program is named on its card', async () => {
  const run = await runCalls([send('cat'), send('\u0004', { submit: false })])
  expect(concludeRun(run)).toMatchObject({ status: 'completed', exit: [0, null], view: { card: { label: '^D' } } })
})

test('two sessions at once keep their own streams', async () => {
  const house = await buildHouse({ prompts: [[send('for i in 1 2 3; do echo $PWD $i; sleep 0.01; done')]] })
  const client = house.connect({ meta: CARDS })
  const directories = [house.cwd, '/tmp']
  const ids = await Promise.all(directories.map((directory) => client.open(directory)))
  expect(await Promise.all(ids.map((id) => client.prompt(id)))).toEqual([
    { stopReason: 'end_turn' },
    { stopReason: 'end_turn' },
  ])
  expect(client.violations()).toEqual([])
  ids.forEach((id, index) => {
    const cwd = directories[index]
    const card = client.view(id, client.callIds(id).at(-1) ?? '').card
    expect(card?.text).toBe([1, 2, 3].map((line) => `${cwd} ${line}\r\n`).join(''))
  })
})

test('a client that reads nothing cannot hold up the end of the host', async () => {
  const house = await buildHouse({ prompts: [[send('yes')]], config: { closeGraceMs: 200 } })
  const client = house.connect({ meta: CARDS })
  const sessionId = await client.open(house.cwd)
  const resume = house.pauseReading()
  client.prompt(sessionId).catch(() => undefined)
  await waitUntil('the program runs', () => listDescendants(process.pid).some(({ command }) => command.includes('yes')))
  await house.root.fiber.dispose()
  expect(listDescendants(process.pid).filter(({ command }) => /yes|bash/.test(command))).toEqual([])
  resume()
})

test('after a cancel the same session goes on', async () => {
  const house = await buildHouse({ prompts: [[send('echo begun; sleep 300')], [send('echo back')]] })
  const client = house.connect({ meta: CARDS })
  const sessionId = await client.open(house.cwd)
  const answered = client.prompt(sessionId)
  await client.until('it has begun', () =>
    outputsOf(client, sessionId, client.callIds(sessionId).at(-1) ?? '')
      .join('')
      .includes('begun'),
  )
  await client.cancel(sessionId)
  expect(await answered).toEqual({ stopReason: 'cancelled' })
  expect(await client.prompt(sessionId)).toEqual({ stopReason: 'end_turn' })
  expect(client.violations()).toEqual([])
  expect(client.view(sessionId, client.callIds(sessionId).at(-1) ?? '').card?.text).toBe('back\r\n')
})

test('a turn that wants more steps than it may ends with that reason', async () => {
  const run = await runCalls([send('true'), send('true')], { meta: CARDS }, { loopConfig: { maxSteps: 2 } })
  expect(run.response).toEqual({ stopReason: 'max_turn_requests' })
  expect(run.client.violations()).toEqual([])
})

test('output that was bounded for the model is whole on its card', async () => {
  const run = await runCalls([send('seq 1 1000')], { meta: CARDS }, { toolConfig: { maxResultBytes: 64 } })
  expect(concludeRun(run).text.split('\r\n')).toHaveLength(1001)
})
