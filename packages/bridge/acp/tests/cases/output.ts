import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { CardOutput } from '../../src/card-output.js'
import { buildHouse, CARDS, type Run, runCalls, send } from '../house.js'
import { callPieces, type Pieces, registerPieces } from '../pieces-tool.js'
import { concludeRun, outputsOf, updatesOf } from './reading.js'
import type { CaseRegistry } from './registry.js'

const bytes = (text: string) => Buffer.byteLength(text)
const crlf = (text: string) => text.replace(/\n/g, '\r\n')

async function runPieces(pieces: Pieces): Promise<Run> {
  const house = await buildHouse({ prompts: [[callPieces]] })
  registerPieces(house, pieces)
  const client = house.connect({ meta: CARDS })
  const sessionId = await client.open(house.cwd)
  const response = await client.prompt(sessionId)
  return { house, client, sessionId, response, callId: client.callIds(sessionId).at(-1) ?? '' }
}

export function addOutputCases({ case: one }: CaseRegistry): void {
  one(15, 'a line is shown while the command still runs', async () => {
    const house = await buildHouse({ prompts: [[send('mkfifo gate; echo one; cat gate; echo two')]] })
    const client = house.connect({ meta: CARDS })
    const sessionId = await client.open(house.cwd)
    const answered = client.prompt(sessionId)
    const text = () => outputsOf(client, sessionId, client.callIds(sessionId).at(-1) ?? '').join('')
    await client.until('the first line is there', () => text() === 'one\r\n')
    writeFileSync(join(house.cwd, 'gate'), 'open\n')
    expect(await answered).toEqual({ stopReason: 'end_turn' })
    expect(text()).toBe('one\r\nopen\r\ntwo\r\n')
    expect(client.violations()).toEqual([])
  })

  one(16, 'a command that prints nothing has no output update', async () => {
    const run = await runCalls([send('true')])
    expect(outputsOf(run.client, run.sessionId, run.callId)).toEqual([])
    expect(concludeRun(run)).toMatchObject({ status: 'completed', exit: [0, null] })
  })

  one(17, 'a character that is split over two reads arrives whole', async () => {
    const program = `python3 -c 'import os, time
for b in "😀é".encode(): os.write(1, bytes([b])); time.sleep(0.03)'`
    const run = await runCalls([send(program)])
    expect(concludeRun(run).text).toBe('😀é')
    const half = '😀'.slice(0, 1)
    expect(concludeRun(await runPieces({ pieces: [half, '😀'.slice(1), 'x'] })).text).toBe('😀x')
  })

  one(18, 'no piece ends inside a colour sequence', async () => {
    const pieces = [...'\x1b[1;31mred\x1b[0m \x1b]0;title\x07 \x1b(Bplain']
    const run = await runPieces({ pieces })
    expect(concludeRun(run).text).toBe(pieces.join(''))
    for (const data of outputsOf(run.client, run.sessionId, run.callId)) expect(data).not.toMatch(/\x1b[^a-zA-Z\x07]*$/)
  })

  one(19, 'an unfinished sequence or character at the end is still shown', async () => {
    const run = await runPieces({ pieces: ['text\x1b[3'] })
    const { exit, status } = concludeLoosely(run)
    expect(outputsOf(run.client, run.sessionId, run.callId).join('')).toBe('text\x1b[3')
    expect({ exit, status }).toEqual({ exit: [null, null], status: 'completed' })
    const cut = await runPieces({ pieces: ['text', '\ud83d'] })
    expect(concludeRun(cut).text).toBe('text\ufffd')
    expect(await cut.client.prompt(cut.sessionId).catch((error: Error) => error.message)).toMatch(/script/i)
  })

  one(20, 'invalid UTF-8 becomes replacement characters', async () => {
    const run = await runCalls([send("printf 'a\\xff\\xfeb\\n'")])
    expect(concludeRun(run)).toMatchObject({ text: 'a\ufffd\ufffdb\r\n', status: 'completed' })
  })

  one(21, 'a bar that is redrawn 1,000 times stays below 30 updates a second', () => {
    let nowMs = 0
    const timers: { readonly at: number; readonly handle: () => void }[] = []
    const updates: { readonly at: number; readonly data: string }[] = []
    const output: CardOutput = new CardOutput({
      limits: { maxCardBytes: 4_194_304, tailBytes: 262_144, maxChunkUnits: 32_768 },
      pace: {
        intervalMs: 80,
        clock: {
          setTimer(ms, handle) {
            const timer = { at: nowMs + ms, handle }
            timers.push(timer)
            return () => void timers.splice(timers.indexOf(timer), 1)
          },
        },
      },
      requestFlush: () => {
        for (const data of output.drain()) updates.push({ at: nowMs, data })
      },
    })
    for (let step = 1; step <= 1000; step++) {
      nowMs += 2
      for (const timer of timers.filter(({ at }) => at <= nowMs)) {
        timers.splice(timers.indexOf(timer), 1)
        timer.handle()
      }
      output.push(`\r${step} of 1000`)
    }
    output.finish()
    for (const data of output.drain()) updates.push({ at: nowMs, data })
    expect(updates.length).toBeLessThan(30 * (nowMs / 1000))
    expect(updates[0]).toEqual({ at: 2, data: '\r1 of 1000' })
    const text = updates.map(({ data }) => data).join('')
    expect(text.endsWith('\r1000 of 1000')).toBe(true)
    expect(timers).toEqual([])
  })

  one(22, 'a flood stays within the budget, says what was left out, and shows its end', async () => {
    const run = await runCalls([send('seq 1 1000000')])
    const { text, status } = concludeRun(run)
    expect(status).toBe('completed')
    expect(bytes(text)).toBeLessThan(4 * 1024 * 1024 + 1024)
    expect(text.startsWith('1\r\n2\r\n3\r\n')).toBe(true)
    expect(text).toMatch(/\[output limit reached[^\]]*\]/)
    expect(text).toMatch(/\[[\d,]+ bytes left out\]/)
    expect(text.endsWith('999999\r\n1000000\r\n')).toBe(true)
    for (const data of outputsOf(run.client, run.sessionId, run.callId)) expect(bytes(data)).toBeLessThan(65_537)
  })

  one(22, 'a flood in one session does not hold up another', async () => {
    const house = await buildHouse({ prompts: [[send('[ -e flood ] && yes; echo quick')]] })
    const client = house.connect({ meta: CARDS })
    const flooded = await client.open(house.cwd)
    const quick = await client.open('/tmp')
    writeFileSync(join(house.cwd, 'flood'), '')
    let isFlooding = true
    const flooding = client.prompt(flooded).finally(() => {
      isFlooding = false
    })
    await client.until('it floods', () => outputsOf(client, flooded, client.callIds(flooded).at(-1) ?? '').length > 3)
    expect(await client.prompt(quick)).toEqual({ stopReason: 'end_turn' })
    expect(outputsOf(client, quick, client.callIds(quick).at(-1) ?? '')).toEqual(['quick\r\n'])
    expect(isFlooding).toBe(true)
    await client.cancel(flooded)
    expect(await flooding).toEqual({ stopReason: 'cancelled' })
    expect(client.violations()).toEqual([])
  })

  one(23, 'standard output and standard error appear in the order they were written', async () => {
    const run = await runCalls([send('for i in 1 2 3; do echo out$i; sleep 0.02; echo err$i >&2; sleep 0.02; done')])
    expect(concludeRun(run).text).toBe('out1\r\nerr1\r\nout2\r\nerr2\r\nout3\r\nerr3\r\n')
  })

  one(24, 'the joined pieces are what was written', async () => {
    const run = await runCalls([send('seq 1 50000')])
    const expected = crlf(execFileSync('seq', ['1', '50000'], { encoding: 'utf8', maxBuffer: 1 << 24 }))
    expect(concludeRun(run).text === expected).toBe(true)
  })

  one(25, 'fences and JSON pass unchanged', async () => {
    const text = '```json\n{"a": "`b`"}\n````\n'
    const run = await runCalls([send(`printf '%s' '${text}'`)])
    expect(concludeRun(run).text).toBe(crlf(text))
  })

  one(26, 'the text is not also in the content', async () => {
    const run = await runCalls([send('echo once')])
    concludeRun(run)
    const updates = updatesOf(run.client, run.sessionId, run.callId)
    expect(updates.filter(({ sessionUpdate, content }) => sessionUpdate !== 'tool_call' && content)).toEqual([])
    expect(JSON.stringify(updates).match(/once\\r\\n/g)).toHaveLength(1)
  })
}

/** For a stream whose own end is unfinished: every rule but OUT-4, which speaks of cuts in the middle. */
function concludeLoosely(run: Run) {
  expect(run.client.violations().filter((violation) => !violation.startsWith('OUT-4'))).toEqual([])
  const { status, card } = run.client.view(run.sessionId, run.callId)
  return { status, exit: [card?.exit?.exitCode ?? null, card?.exit?.signal ?? null] }
}
