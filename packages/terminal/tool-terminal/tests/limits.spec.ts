/** What a deployment with narrow limits tells the model, over a real shell. */
import { useBaseline } from '@agent-terminals/testing'
import { utf8Length } from '@agent-terminals/text'
import { afterEach, expect, it } from 'vitest'
import { textOf } from './house.js'
import { buildRealHouse, type RealHouse } from './real-house.js'

useBaseline()

let house: RealHouse
afterEach(() => house.dispose())

it('shows both ends of a long output, and the newest lines with their own numbers, in 64 bytes', async () => {
  house = await buildRealHouse({ maxResultBytes: 64 })
  const sessionId = await house.open()
  const sent = await house.text('terminal_send', { sessionId, text: 'seq 1 1000' })
  expect(sent).toMatch(/^1\n2\n.*….*1000/s)
  const call = await house.call('terminal_read', { sessionId, offset: 1 })
  const text = textOf(call)
  expect(utf8Length(text)).toBeLessThanOrEqual(64)
  const place = /\[lines (\d+)-(\d+) of \d+/.exec(text)
  const { lineBegin, lineEnd, text: shown, truncated } = call.result.structured ?? {}
  expect(place?.slice(1).map(Number)).toEqual([lineBegin, lineEnd])
  expect(truncated).toBe(false)
  const amount = Number(lineEnd) - Number(lineBegin) + 1
  expect(shown).toBe(Array.from({ length: amount }, (_, index) => String(1001 - amount + index)).join('\n'))
})

it('goes forward over pages that do not fit without a gap', async () => {
  house = await buildRealHouse({ maxResultBytes: 128, features: { search: true } })
  const sessionId = await house.open()
  await house.call('terminal_send', { sessionId, text: 'seq 1 60' })
  const seen: string[] = []
  let since = 1
  for (;;) {
    const { result } = await house.call('terminal_read', { sessionId, since })
    const { text, nextLine, lineBegin, lineEnd } = result.structured ?? {}
    if (Number(nextLine) === since) break
    expect(String(text).split('\n')).toHaveLength(Number(lineEnd) - Number(lineBegin) + 1)
    seen.push(...String(text).split('\n'))
    since = Number(nextLine)
  }
  expect(seen.filter((line) => /^\d+$/.test(line))).toEqual(Array.from({ length: 60 }, (_, index) => `${index + 1}`))
})

it('says that a wait was shorter than asked for', async () => {
  house = await buildRealHouse({}, { shell: { timeoutMs: 200, maxTimeoutMs: 300 } })
  const sessionId = await house.open()
  const note = 'Waited at most 300 ms, the longest this deployment allows.'
  const cut = await house.call('terminal_send', { sessionId, text: 'sleep 60', timeoutMs: 60_000 })
  expect(textOf(cut)).toContain(`[${note}]`)
  expect(cut.result.structured?.notes).toContain(note)
  await house.call('terminal_signal', { sessionId, signal: 'SIGINT' })
  expect(await house.text('terminal_send', { sessionId, text: '', submit: false, timeoutMs: 60_000 })).not.toContain(
    note,
  )
})

it('refuses an empty directory', async () => {
  house = await buildRealHouse()
  const { result } = await house.call('terminal_open', { type: 'shell', cwd: '' })
  expect(result).toMatchObject({ isError: true, code: 'CWD_INVALID' })
})
