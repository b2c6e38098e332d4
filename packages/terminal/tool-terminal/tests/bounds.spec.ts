import { useBaseline } from '@agent-terminals/testing'
import { utf8Length } from '@agent-terminals/text'
import type { BeforeExecute, ToolResult } from '@agent-terminals/tools/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildHouse, type House, textOf } from './house.js'
import { settled } from './scripted-backend.js'

useBaseline()

const LIMITS = [64, 65, 100, 256, 4096]
const content = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 600 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom('🐚', 'é', 'line\n', '[exit 0]\n', '\x1b[31m'), { maxLength: 200 })
    .map((parts) => parts.join('')),
)

async function withHouse(maxResultBytes: number, use: (house: House) => Promise<void>): Promise<void> {
  const house = await buildHouse({ config: { maxResultBytes } })
  try {
    await use(house)
  } finally {
    await house.dispose()
  }
}

function expectBounded(text: string, maxBytes: number): void {
  expect(utf8Length(text)).toBeLessThanOrEqual(maxBytes)
  expect(text).not.toMatch(/\p{Surrogate}|[\x00-\x08\x0b-\x1f\x7f-\x9f]/u)
}

describe.each(LIMITS)('with maxResultBytes %d', (maxBytes) => {
  it('every send result is bounded, its data too, and says how it ended', async () => {
    await withHouse(maxBytes, async (house) => {
      const { sessionId, session } = await house.open()
      const outcome = fc.record({
        text: content,
        exitCode: fc.constantFrom(0, 7, 130),
        cwd: content,
        notes: fc.array(content, { maxLength: 3 }),
        pendingInputBytes: fc.nat(),
      })
      await fc.assert(
        fc.asyncProperty(outcome, async ({ text, ...changes }) => {
          session.answers.push(settled(text, { ...changes, waitReason: 'timeout', state: 'busy', foreground: 'make' }))
          const call = await house.call('terminal_send', { sessionId, text: 'make' })
          expectBounded(textOf(call), maxBytes)
          expect(textOf(call)).toContain('[timeout: ')
          const small = 64 * (10 + changes.notes.length) + 400
          expect(utf8Length(JSON.stringify(call.result.structured))).toBeLessThanOrEqual(Math.max(maxBytes, small))
        }),
        { numRuns: 40 },
      )
    })
  })

  it('an opened terminal keeps its whole id whatever the shell says', async () => {
    await withHouse(maxBytes, async (house) => {
      await fc.assert(
        fc.asyncProperty(content, async (motd) => {
          house.backend.prepare = (session) => {
            session.motd = motd
          }
          const call = await house.call('terminal_open', { type: 'shell', name: 'a name that takes room' })
          const sessionId = String(call.result.structured?.sessionId)
          expectBounded(textOf(call), maxBytes)
          expect(textOf(call)).toContain(`[session ${sessionId}`)
          await house.call('terminal_close', { sessionId })
        }),
        { numRuns: 20 },
      )
    })
  })

  it('a page is bounded with its facts, and says where it lies', async () => {
    await withHouse(maxBytes, async (house) => {
      const { sessionId, session } = await house.open()
      await fc.assert(
        fc.asyncProperty(content, async (text) => {
          session.page = { text, totalLines: 500, lineBegin: 201, lineEnd: 300, truncated: true }
          const call = await house.call('terminal_read', { sessionId })
          expectBounded(textOf(call), maxBytes)
          expect(textOf(call)).toContain('[lines 201-300 of 500')
        }),
        { numRuns: 20 },
      )
    })
  })

  it.each([
    ['the newest lines', {}],
    ['the newest before an offset', { offset: 3 }],
  ])('a page that does not fit holds %s and numbers exactly those', async (_what, args) => {
    await withHouse(maxBytes, async (house) => {
      const { sessionId, session } = await house.open()
      const lineTexts = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 30 }), { minLength: 1, maxLength: 300 })
      await fc.assert(
        fc.asyncProperty(lineTexts, async (lines) => {
          const lineEnd = 1000 + lines.length
          session.page = { text: lines.join('\n'), totalLines: 2000, lineBegin: 1001, lineEnd, truncated: false }
          const call = await house.call('terminal_read', { sessionId, ...args })
          const data = call.result.structured ?? {}
          const begin = Number(data.lineBegin)
          expectBounded(textOf(call), maxBytes)
          expect(data).toMatchObject({ lineEnd, truncated: false })
          expect(textOf(call)).toContain(`[lines ${begin}-${lineEnd} of 2000`)
          const shown = lines.slice(begin - 1001).join('\n')
          expect(textOf(call).startsWith(shown)).toBe(true)
        }),
        { numRuns: 20 },
      )
    })
  })

  it('a line that is longer than a result is cut, and says so', async () => {
    await withHouse(maxBytes, async (house) => {
      const { sessionId, session } = await house.open()
      session.page = {
        text: `old\n${'x'.repeat(9000)}`,
        totalLines: 2,
        lineBegin: 1,
        lineEnd: 2,
        truncated: false,
      }
      const call = await house.call('terminal_read', { sessionId })
      expectBounded(textOf(call), maxBytes)
      expect(call.result.structured).toMatchObject({ lineBegin: 2, lineEnd: 2, truncated: true })
      expect(textOf(call)).toMatch(/…|omitted\]/)
      expect(textOf(call)).toContain('[lines 2-2 of 2')
    })
  })

  it('a send with more output than fits says so', async () => {
    await withHouse(maxBytes, async (house) => {
      const { sessionId, session } = await house.open()
      session.answers.push(settled(Array.from({ length: 2000 }, (_, index) => `${index + 1}\n`).join('')))
      const call = await house.call('terminal_send', { sessionId, text: 'seq 1 2000' })
      expectBounded(textOf(call), maxBytes)
      expect(textOf(call)).toMatch(/^1\n[\s\S]*(…|omitted\])[\s\S]*2000\n?/)
    })
  })

  it('a list is bounded to whole lines, and its data to the same sessions', async () => {
    await withHouse(maxBytes, async (house) => {
      for (let index = 0; index < 5; index++) await house.open({ name: `terminal number ${index}` })
      const call = await house.call('terminal_list', {})
      expectBounded(textOf(call), maxBytes)
      const sessions = call.result.structured?.sessions
      const shown = Array.isArray(sessions) ? sessions.map((each) => String(each.sessionId)) : []
      expect(shown.length).toBeGreaterThan(0)
      for (const id of shown) expect(textOf(call)).toContain(id)
      if (shown.length < 5) expect(textOf(call)).toContain(`[${5 - shown.length} more not shown]`)
    })
  })

  it('errors, refusals, short circuits, replacements and blocks are bounded', async () => {
    await withHouse(maxBytes, async (house) => {
      const { sessionId, session } = await house.open()
      const reply = (text: string): ToolResult => ({ content: [{ type: 'text', text }], structured: { text } })
      let before: BeforeExecute = { action: 'continue' }
      let after: 'keep' | 'replace' | 'block' = 'keep'
      let words = ''
      house.root.tools.hook({
        before: () => before,
        after: () =>
          after === 'keep'
            ? { action: 'keep' }
            : after === 'block'
              ? { action: 'block', reason: words }
              : { action: 'replace', result: reply(words) },
      })
      await fc.assert(
        fc.asyncProperty(
          content,
          fc.constantFrom('error', 'refuse', 'respond', 'replace', 'block', 'invalid'),
          async (text, way) => {
            words = text
            before =
              way === 'refuse'
                ? { action: 'refuse', reason: text }
                : way === 'respond'
                  ? { action: 'respond', result: reply(text) }
                  : { action: 'continue' }
            after = way === 'replace' || way === 'block' ? way : 'keep'
            session.answers.splice(0)
            session.answers.push(way === 'error' ? { kind: 'failed', error: new Error(text) } : settled('ok\n'))
            const args = way === 'invalid' ? { sessionId, [text]: text } : { sessionId, text: 'x' }
            const call = await house.call('terminal_send', args)
            expectBounded(textOf(call), maxBytes)
          },
        ),
        { numRuns: 60 },
      )
    })
  })

  it('deliberate content of several blocks is left alone', async () => {
    await withHouse(maxBytes, async (house) => {
      const { sessionId } = await house.open()
      const result: ToolResult = {
        content: [
          { type: 'text', text: 'x'.repeat(10_000) },
          { type: 'json', value: { kept: true } },
        ],
      }
      house.root.tools.hook({ before: () => ({ action: 'respond', result }) })
      expect((await house.call('terminal_read', { sessionId })).result).toEqual(result)
    })
  })
})

it('the whole id survives at 64 bytes even with the longest name', async () => {
  await withHouse(64, async (house) => {
    const call = await house.call('terminal_open', { type: 'shell', name: 'n'.repeat(64) })
    expect(textOf(call)).toBe(`[session ${String(call.result.structured?.sessionId)}]`)
  })
})
