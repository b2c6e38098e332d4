import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JobSummary } from '../src/contract.js'
import {
  renderJobOutput,
  renderKilled,
  renderList,
  renderSettledNotice,
  renderSummary,
  renderWaitingNotice,
} from '../src/render.js'

const summary = (changes: Partial<JobSummary> = {}): JobSummary => ({
  id: 'terminal-1',
  kind: 'terminal',
  title: 'npm test',
  status: 'running',
  activity: undefined,
  startedAt: 1000,
  endedAt: undefined,
  ending: undefined,
  outputLimitBytes: 4096,
  ...changes,
})

describe('renderKilled', () => {
  it.each([
    ['the last word of a job', { status: 'killed', ending: '[exit 130]' }, '[exit 130]\n[job terminal-1: killed]'],
    ['a job that said nothing', { status: 'killed', ending: '' }, '[job terminal-1: killed]'],
    [
      'a job that has not ended',
      { status: 'stopping' },
      '[job terminal-1: stopping]\n[not ended yet: job_output with wait, or job_kill again]',
    ],
  ] as const)('tells %s', (_what, changes, expected) => {
    expect(renderKilled(summary(changes))).toBe(expected)
  })
})

describe('renderJobOutput', () => {
  it.each([
    ['nothing new', {}, '', '[job terminal-1: running]'],
    ['output', {}, 'line\n', 'line\n[job terminal-1: running]'],
    ['output without a last newline', {}, 'name? ', 'name? \n[job terminal-1: running]'],
    [
      'a wait',
      { activity: { kind: 'waiting', detail: 'waits for a line: name? ' } as const },
      '',
      '[job terminal-1: running]\n[waiting: waits for a line: name?]',
    ],
    [
      'an activity without words',
      { activity: { kind: 'quiet', detail: '' } as const },
      '',
      '[job terminal-1: running]\n[quiet]',
    ],
    [
      'work that needs no words',
      { activity: { kind: 'working', detail: '' } as const },
      '',
      '[job terminal-1: running]',
    ],
    ['an end', { status: 'killed' as const }, 'bye', 'bye\n[job terminal-1: killed]'],
  ])('tells %s', (_what, changes, text, expected) => {
    expect(renderJobOutput({ summary: summary(changes), text, droppedBytes: 0, unreadBytes: 0 })).toBe(expected)
  })

  it('tells what is missing and what is left', () => {
    expect(renderJobOutput({ summary: summary(), text: 'x', droppedBytes: 7, unreadBytes: 9 })).toBe(
      'x\n[job terminal-1: running]\n[7 bytes of older output dropped, nobody read them in time]\n[9 bytes more: call job_output again]',
    )
  })

  it('shows activity on one line without control characters', () => {
    const detail = 'first\r\nsecond\u001b[31m\u0007 third\u009b'
    const text = renderJobOutput({
      summary: summary({ activity: { kind: 'waiting', detail } }),
      text: '',
      droppedBytes: 0,
      unreadBytes: 0,
    })
    expect(text.split('\n')).toHaveLength(2)
    expect(text).not.toMatch(/[\u001b\u0007\u009b\r]/)
  })
})

describe('notices', () => {
  const notice = { id: 'terminal-1', title: 'npm test', status: 'completed', text: '', unreadBytes: 0 } as const

  it('name the job, how it ended and where the output is', () => {
    expect(renderSettledNotice(notice, 2048)).toBe('[job terminal-1: completed] npm test')
    expect(renderSettledNotice({ ...notice, text: '[exit 0]\n', unreadBytes: 12 }, 2048)).toBe(
      '[job terminal-1: completed] npm test\n[exit 0]\n[12 bytes unread: job_output reads them]',
    )
    expect(renderWaitingNotice('terminal-1', 'name? ', 2048)).toBe('[job terminal-1: waiting] name?')
  })

  it('stay within any bound and keep the id', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', '\n', '語', '🐚'), maxLength: 400 })
    fc.assert(
      fc.property(anyText, anyText, fc.integer({ min: 64, max: 600 }), fc.nat(), (title, text, bound, unreadBytes) => {
        const rendered = renderSettledNotice({ ...notice, title, text, unreadBytes }, bound)
        expect(Buffer.byteLength(rendered)).toBeLessThanOrEqual(bound)
        expect(rendered.startsWith('[job terminal-1: completed]')).toBe(true)
        expect(rendered).not.toMatch(/\ufffd/)
        expect(Buffer.byteLength(renderWaitingNotice('terminal-1', text, bound))).toBeLessThanOrEqual(bound)
      }),
    )
  })
})

describe('renderSummary', () => {
  it('is one line with age, status and what is going on', () => {
    expect(renderSummary(summary({ activity: { kind: 'waiting', detail: 'name? ' } }), 13_400)).toBe(
      'terminal-1 [running] [12 s] [waiting: name?] npm test',
    )
    expect(renderSummary(summary({ status: 'failed', endedAt: 3000, title: 'a\nb' }), 99_000)).toBe(
      'terminal-1 [failed] [2 s] a b',
    )
  })
})

describe('a list', () => {
  const jobs = (amount: number, limit: number) =>
    Array.from({ length: amount }, (_, index) =>
      summary({ id: `terminal-${index + 1}`, title: 'npm run a-long-script', outputLimitBytes: limit }),
    )

  it('keeps id and status where whole lines do not fit', () => {
    expect(
      renderList(
        jobs(1, 64).map((job) => ({ ...job, title: 'x'.repeat(80) })),
        1000,
        262_144,
      ),
    ).toEqual({
      text: 'terminal-1 [running] …',
      shown: 1,
    })
  })

  it('stays within every bound and counts what is not shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 64, max: 600 }), (amount, maxBytes) => {
        for (const limits of [[maxBytes, 4096] as const, [4096, maxBytes] as const]) {
          const { text, shown } = renderList(jobs(amount, limits[0]), 1000, limits[1])
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes)
          expect(shown).toBeGreaterThan(0)
          expect(text.includes(`[${amount - shown} more not shown]`)).toBe(shown < amount)
        }
      }),
    )
  })
})
