/** Facts about terminals, pages and screens where something is missing or out of the ordinary. */
import type { OpenedSession, ScreenSnapshot, ScrollbackPage, TerminalSessionId } from '@agent-terminals/terminal'
import { describe, expect, it } from 'vitest'
import { composeText } from '../../src/result/compose.js'
import { renderList } from '../../src/result/list.js'
import { openFacts } from '../../src/result/open.js'
import { fitPage } from '../../src/result/page.js'
import { pageFacts } from '../../src/result/read.js'
import { screenData, screenFact, spanFacts } from '../../src/result/screen.js'

const session: OpenedSession = {
  sessionId: 'term-1' as TerminalSessionId,
  name: undefined,
  type: 'shell',
  pid: 42,
  status: { kind: 'running' },
  claim: { kind: 'owner' },
  size: { columns: 80, rows: 24 },
  cwd: undefined,
  foreground: undefined,
  title: undefined,
  idleMs: 3_000,
  sending: false,
  openedAt: 0,
  promptDetection: 'active',
  evidence: [],
  motd: '',
}

describe('a terminal', () => {
  it('whose directory is not known is listed without one', () => {
    expect(renderList([session], 1_000).text).toBe('term-1 shell pid 42: running, idle 3.0 s')
  })

  it('whose prompts are not seen any more says so in the list', () => {
    expect(renderList([{ ...session, promptDetection: 'lost' }], 1_000).text).toContain('prompt detection lost')
  })

  it('that has ended while it was opened says how', () => {
    const [fact] = openFacts({ ...session, status: { kind: 'exited', exitCode: 3 } })
    expect(fact?.text).toBe('session term-1: shell, pid 42, exit 3')
  })
})

describe('a confined terminal', () => {
  const confinement = {
    mode: 'workspace-write',
    writable: ['/src'],
    temporaryDirectory: '/tmp',
    network: 'deny',
  } as const

  it.each([
    [confinement, 'sandbox workspace-write: may write in /src and /tmp (removed on close); no network'],
    [
      { ...confinement, mode: 'read-only', writable: [], network: 'allow' } as const,
      'sandbox read-only: may write in /tmp (removed on close)',
    ],
    [{ mode: 'closed', writable: [], network: 'allow' } as const, 'sandbox closed: may write no files'],
  ])('says what it may do: %j', (given, text) => {
    expect(openFacts({ ...session, confinement: given }).map((fact) => fact.text)).toEqual([
      'session term-1: shell, pid 42',
      text,
    ])
  })

  it('with a long path says it in short where room is short', () => {
    const long = { ...confinement, writable: [`/${'x'.repeat(5_000)}`] }
    const facts = openFacts({ ...session, confinement: long })
    expect(facts[1]?.text.length).toBeLessThan(1_200)
    expect(composeText('', facts, 100).text).toBe('[session term-1: shell, pid 42]\n[sandbox workspace-write]')
  })
})

describe('a page', () => {
  const page: ScrollbackPage = { text: '', totalLines: 5, lineBegin: 0, lineEnd: 0, truncated: false }
  const textsOf = (...args: Parameters<typeof pageFacts>) => pageFacts(...args).map(({ text }) => text)

  it('beyond what is retained names what there is', () => {
    expect(textsOf(page, 9)).toEqual(['nothing at offset 9: 5 lines retained'])
  })

  it('from the first line to one before the last names no older ones', () => {
    expect(textsOf({ ...page, text: 'a\nb', lineBegin: 1, lineEnd: 2 }, 3)).toEqual(['lines 1-2 of 5'])
  })

  it('that waits for lines to come says where to go on', () => {
    expect(textsOf({ ...page, nextLine: 6 }, 0, { since: 6 })).toEqual(['no line yet; go on with since 6'])
  })

  it('of a backend that does not number its lines is cut all the same', () => {
    const lines = Array.from({ length: 10 }, (_, index) => `line ${index}`)
    const whole = { ...page, text: lines.join('\n'), totalLines: 10, lineBegin: 1, lineEnd: 10 }
    const fits = ({ text }: ScrollbackPage) => text.length <= 20
    expect(fitPage(whole, { maxBytes: 20, isForward: true, fits })).toEqual({
      ...whole,
      text: 'line 0\nline 1\nline 2',
      lineEnd: 3,
    })
    expect(fitPage(whole, { maxBytes: 20, isForward: false, fits })).toEqual({
      ...whole,
      text: 'line 7\nline 8\nline 9',
      lineBegin: 8,
    })
  })
})

describe('a screen', () => {
  const screen: ScreenSnapshot = {
    rows: ['a', ''],
    columns: 10,
    cursor: { row: 1, column: 2, isVisible: true },
    isAlternate: false,
    source: 'emulator',
    title: undefined,
    hash: 'abc',
  }

  it('with a title tells it, in one clean line', () => {
    const titled = { ...screen, title: 'vim\x07 note' }
    expect(screenFact(titled).text).toContain('title "vim note"')
    expect(screenData(titled)).toMatchObject({ title: 'vim note' })
    expect(screenFact({ ...screen, title: '' }).text).not.toContain('title')
  })

  it('with more marked places than can be named counts the others', () => {
    const spans = Array.from({ length: 63 }, (_, row) => ({ row, column: 1, style: 'bold', text: 'x' }))
    expect(spanFacts(spans).at(-1)?.text).toBe('3 more not shown')
  })
})
