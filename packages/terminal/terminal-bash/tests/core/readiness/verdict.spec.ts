import { describe, expect, it } from 'vitest'
import {
  type Evidence,
  type Fact,
  fold,
  judge,
  type Look,
  type ReadinessPolicy,
  startEvidence,
} from '../../../src/core/index.js'
import type { StartFact } from '../../../src/core/readiness/facts.js'
import { NO_LINE } from '../../../src/core/readiness/facts.js'

const POLICY: ReadinessPolicy = {
  pollIntervalMs: 50,
  leastPauseMs: 0,
  exactProbeAfterMs: 0,
  idleSilenceMs: 3_000,
  handoffGraceMs: 500,
  timeoutMs: 30_000,
  redrawPatienceMs: 15_000,
  acceptsSilence: true,
  acceptsPrograms: true,
}

const SHELL = 100
const CHILD = 200

const lookAt = (pgid: number, more: Partial<Look> = {}): Look => ({
  pgid,
  isShell: pgid === SHELL,
  waits: [],
  waitsKnown: true,
  pids: [pgid],
  cpuMs: 0,
  uninterruptible: false,
  timedSleep: false,
  stopped: false,
  ...more,
})
/** A wait with nothing left to read of what came before it. */
const waiting = (pgid: number, wakeups: number, more: Partial<Look['waits'][number]> = {}): Look =>
  lookAt(pgid, { waits: [{ pid: pgid, tid: pgid, call: 'read', wakeups, ...more }], outputRead: true })
/** The same where output may still be on its way. */
const unread = (look: Look): Look => {
  const { outputRead: _, ...rest } = look
  return rest
}

const start = (more: Partial<StartFact> = {}): StartFact => ({
  type: 'start',
  at: 0,
  input: 'line',
  phase: 'prompt',
  before: waiting(SHELL, 5, { call: 'poll' }),
  alternateScreen: false,
  bracketedPaste: false,
  addressing: false,
  keypad: false,
  ...more,
})
const written = (at: number): Fact => ({ type: 'written', at })
const look = (at: number, seen: Look, line = NO_LINE): Fact => ({ type: 'look', at, look: seen, line })
const output = (at: number, redrawOnly = false): Fact => ({ type: 'output', at, printed: true, redrawOnly })
const settings = (at: number, echo: boolean, canonical: boolean): Fact => ({
  type: 'attributes',
  at,
  attributes: { echo, canonical },
})
const running = (at: number): Fact => ({ type: 'shell', at, event: { mark: 'command-start', phase: 'running' } })
const ended = (at: number, exitCode = 0): Fact => ({
  type: 'shell',
  at,
  event: { mark: 'command-end', phase: 'between', exitCode },
})
const prompted = (at: number): Fact => ({ type: 'shell', at, event: { mark: 'prompt-end', phase: 'prompt' } })

const gather = (first: StartFact, facts: readonly Fact[]): Evidence => facts.reduce(fold, startEvidence(first))

/** The verdict at a time, as `reason/state`, or what is wanted instead. */
function verdictAt(
  now: number,
  facts: readonly Fact[],
  first = start(),
  policy: Partial<ReadinessPolicy> = {},
): string {
  const verdict = judge(gather(first, facts), { ...POLICY, ...policy }, now)
  return verdict.kind === 'ready' ? `${verdict.reason}/${verdict.state}` : verdict.kind
}

describe('the verdict at the shell’s prompt', () => {
  const command = [written(1), running(2), ended(3), prompted(4)]

  it('needs the mark and the shell’s wait', () => {
    expect(verdictAt(4, command)).toBe('look')
    expect(verdictAt(5, [...command, look(5, lookAt(SHELL))])).toBe('look')
    expect(verdictAt(5, [...command, look(5, waiting(SHELL, 6))])).toBe('stdin_read/prompt')
  })

  it('does not take a look from before the mark', () => {
    expect(verdictAt(5, [written(1), running(2), look(3, waiting(SHELL, 6)), prompted(4)])).toBe('look')
  })

  it('takes a late prompt of an earlier command for what it is', () => {
    const facts = [written(1), prompted(2), look(3, waiting(SHELL, 6))]
    const busyBefore = start({ phase: 'running', before: lookAt(CHILD) })
    expect(verdictAt(3, facts, busyBefore)).toBe('look')
    expect(verdictAt(5, [...facts, running(4), look(5, lookAt(CHILD))], busyBefore)).toBe('look')
  })

  it('waits for the last of several commands', () => {
    const several = start({ input: 'lines' })
    const between = [written(1), running(2), ended(3), prompted(4), look(5, waiting(SHELL, 6))]
    expect(verdictAt(6, between, several)).toBe('look')
    expect(verdictAt(30, [...between, running(7), look(8, lookAt(CHILD))], several)).toBe('look')
    expect(verdictAt(20, [...between, look(12, waiting(SHELL, 6))], several)).toBe('stdin_read/prompt')
  })

  it('does not take the prompt that has been answered with the next line', () => {
    const fed: Fact = { type: 'shell', at: 4, event: { mark: 'prompt-end', phase: 'fed' } }
    expect(
      verdictAt(40, [written(1), running(2), ended(3), fed, look(5, waiting(SHELL, 6)), look(30, waiting(SHELL, 6))]),
    ).toBe('look')
  })

  it('names a job that was stopped', () => {
    expect(verdictAt(6, [written(1), running(2), ended(3, 148), prompted(4), look(5, waiting(SHELL, 6))])).toBe(
      'stdin_read/stopped',
    )
  })

  it('does not take the shell for a program while its mark is on the way', () => {
    const ending = [written(1), running(2), ended(3)]
    expect(verdictAt(40, [...ending, look(40, unread(waiting(SHELL, 6)))])).toBe('look')
    expect(verdictAt(40, [...ending, look(40, waiting(SHELL, 6)), settings(41, true, true)])).toBe('stdin_read/line')
  })

  it('does without the mark when the shell waits again for long', () => {
    const facts = [written(1), look(2, waiting(SHELL, 6))]
    expect(verdictAt(100, [...facts, look(100, waiting(SHELL, 6))])).toBe('look')
    expect(verdictAt(200, [...facts, look(200, waiting(SHELL, 6))])).toBe('stdin_read/prompt')
  })

  it('takes the mark and quiet where waits cannot be proven', () => {
    const blind = start({})
    const facts = [written(1), running(2), ended(3), prompted(4)]
    expect(verdictAt(10, facts, blind)).toBe('look')
    expect(verdictAt(24, facts, blind)).toBe('stdin_read/prompt')
    expect(verdictAt(24, [...facts, output(20)], blind)).toBe('look')
  })

  it('gives nothing while the shell leaves', () => {
    const leaving: Fact = { type: 'shell', at: 3, event: { mark: 'exiting', phase: 'exiting' } }
    const facts = [written(1), running(2), leaving, look(4, waiting(SHELL, 6))]
    expect(verdictAt(5_000, facts)).toBe('look')
    expect(verdictAt(5_001, [...facts, { type: 'exit', at: 5_001 }])).toBe('session_exit/ended')
  })
})

describe('the verdict on a program', () => {
  const before = start({ phase: 'running', before: waiting(CHILD, 7) })
  const answered = [written(1), output(2)]

  it('does not take a wait from before the input', () => {
    expect(
      verdictAt(
        2_000,
        [...answered, look(3, waiting(CHILD, 7)), settings(4, true, true), look(1_500, waiting(CHILD, 7))],
        before,
      ),
    ).toBe('look')
  })

  it('takes the same wait with a larger wake counter, unseen in between', () => {
    const facts = [...answered, look(3, waiting(CHILD, 8)), settings(4, true, true)]
    expect(verdictAt(5, facts, before)).toBe('look')
    expect(verdictAt(7, [...facts, look(7, waiting(CHILD, 8))], before)).toBe('stdin_read/line')
  })

  it('takes a wait at once when the program has had the input for long', () => {
    const facts = [...answered, look(50, waiting(CHILD, 8)), settings(52, true, true)]
    expect(verdictAt(52, facts, { ...before, bracketedPaste: true })).toBe('stdin_read/line')
    expect(verdictAt(52, facts, { ...before, alternateScreen: true })).toBe('stdin_read/fullscreen')
  })

  it('starts over when the program has been woken once more', () => {
    const facts = [...answered, look(3, waiting(CHILD, 8)), settings(4, true, true), look(8, waiting(CHILD, 9))]
    expect(verdictAt(8, facts, before)).toBe('look')
    expect(verdictAt(9, [...facts, look(9, waiting(CHILD, 9))], before)).toBe('ask-attributes')
  })

  it('starts over at new output, and rests on no look from before it', () => {
    const facts = [...answered, look(3, waiting(CHILD, 8)), settings(4, true, true), output(8)]
    expect(verdictAt(50, facts, before)).toBe('look')
    expect(verdictAt(9, [...facts, look(9, waiting(CHILD, 8))], before)).toBe('stdin_read/line')
  })

  it('rests on no look that is older than what it is to show', () => {
    const facts = [...answered, look(3, waiting(CHILD, 8)), settings(60, true, true)]
    expect(verdictAt(60, facts, before)).toBe('look')
    expect(verdictAt(61, [...facts, look(61, waiting(CHILD, 8))], before)).toBe('stdin_read/line')
  })

  it('takes more time where output may still be on its way, most for what is drawn', () => {
    const waits = unread(waiting(CHILD, 8))
    const facts = [...answered, look(3, waits), settings(4, true, true)]
    expect(verdictAt(20, [...facts, look(20, waits)], before)).toBe('look')
    expect(verdictAt(28, [...facts, look(28, waits)], before)).toBe('stdin_read/line')
    expect(verdictAt(28, [...facts, look(28, waits)], { ...before, alternateScreen: true })).toBe('look')
    expect(verdictAt(63, [...facts, look(63, waits)], { ...before, alternateScreen: true })).toBe(
      'stdin_read/fullscreen',
    )
  })

  it('takes a new program’s wait at once', () => {
    const facts = [written(1), running(2), output(3), look(7, waiting(CHILD, 3)), settings(8, true, true)]
    expect(verdictAt(8, facts)).toBe('stdin_read/line')
  })

  it.each([
    ['line', true, true],
    ['hidden', false, true],
    ['key', true, false],
  ])('tells %s by the line discipline', (state, echo, canonical) => {
    const facts = [...answered, look(7, waiting(CHILD, 8)), settings(8, echo, canonical)]
    expect(verdictAt(8, facts, before)).toBe(`stdin_read/${state}`)
  })

  it('asks for the line discipline only once there is a wait', () => {
    expect(verdictAt(20, answered, before)).toBe('look')
    const waits = [look(3, waiting(CHILD, 8)), look(4, waiting(CHILD, 8))]
    expect(verdictAt(4, [...answered, ...waits], before)).toBe('ask-attributes')
  })

  it('needs no line discipline on the alternate screen or in bracketed paste', () => {
    const facts = [...answered, look(7, waiting(CHILD, 8))]
    expect(verdictAt(7, facts, { ...before, alternateScreen: true })).toBe('stdin_read/fullscreen')
    expect(verdictAt(7, facts, { ...before, bracketedPaste: true })).toBe('stdin_read/line')
  })

  it('honours a later start of kernel evidence', () => {
    const facts = [...answered, look(3, waiting(CHILD, 8)), settings(4, true, true)]
    const late = { exactProbeAfterMs: 150 }
    expect(verdictAt(100, [...facts, look(100, waiting(CHILD, 8))], before, late)).toBe('look')
    expect(verdictAt(151, [...facts, look(151, waiting(CHILD, 8))], before, late)).toBe('stdin_read/line')
  })

  it('doubts an event loop that shows no prompt', () => {
    const loop = waiting(CHILD, 8, { call: 'epoll', others: 4 })
    const facts = [...answered, look(3, loop), settings(4, true, true)]
    expect(verdictAt(1_000, [...facts, look(1_000, loop)], before)).toBe('look')
    const atPrompt = { isEmpty: false, isPrompt: true, isEditorPrompt: true, isKnown: false }
    const prompted = [...answered, look(3, loop, atPrompt), settings(4, false, false), look(30, loop, atPrompt)]
    expect(verdictAt(30, prompted, before)).toBe('stdin_read/line')
  })

  it('takes an event loop’s wait at once when its whole process is asleep, and no other is in the foreground', () => {
    const loop = waiting(CHILD, 8, { call: 'epoll', others: 2, sole: true })
    const facts = (pids: readonly number[]) => [...answered, look(7, { ...loop, pids }), settings(8, true, true)]
    expect(verdictAt(8, facts([CHILD]), before)).toBe('stdin_read/line')
    expect(verdictAt(8, facts([CHILD, 201]), before)).toBe('look')
  })

  it('does not take one short glance at the terminal for a wait', () => {
    const glance = waiting(CHILD, 5, { call: 'poll', timeoutMs: 200 })
    const glancing = [written(1), running(2), look(10, glance), settings(11, true, true)]
    expect(verdictAt(100, [...glancing, look(100, glance)])).toBe('look')
    expect(verdictAt(2_000, [...glancing, look(250, lookAt(CHILD, { timedSleep: true }))])).toBe('look')
    expect(verdictAt(2_000, [...glancing, look(200, glance)])).toBe('look')
  })

  it('takes glances that go on and on, with nothing between them', () => {
    const glances = [10, 200, 400, 600, 800].map((at) => look(at, waiting(CHILD, at, { call: 'poll', timeoutMs: 100 })))
    const facts = [written(1), running(2), ...glances, settings(801, true, true)]
    expect(verdictAt(801, facts)).toBe('stdin_read/line')
    expect(verdictAt(801, [...facts.slice(0, 4), output(250), ...facts.slice(4)])).toBe('look')
  })

  it('does not take an event loop that draws a spinner for one that waits, whatever else speaks for it', () => {
    const loop = (at: number) => look(at, waiting(CHILD, at, { call: 'epoll', others: 3, timeoutMs: 90 }))
    const editor = { ...before, bracketedPaste: true }
    const spinning = [...answered, output(10), loop(40), loop(90), output(100), loop(130)]
    expect(verdictAt(130, spinning, editor)).toBe('look')
    expect(verdictAt(800, [...spinning, loop(300), loop(800)], editor)).toBe('stdin_read/line')
    expect(verdictAt(800, [...spinning, loop(300), loop(800), settings(801, true, true)], before)).toBe('look')
  })

  it('takes no glance for proof beside a wait of an event loop', () => {
    const { waits } = waiting(CHILD, 5, { call: 'epoll', others: 3 })
    const glance = waiting(CHILD, 5, { call: 'poll', timeoutMs: 200 })
    const both = { ...glance, waits: [...glance.waits, ...waits.map((wait) => ({ ...wait, pid: 202, tid: 202 }))] }
    expect(verdictAt(900, [written(1), running(2), look(10, both), look(900, both), settings(901, true, true)])).toBe(
      'look',
    )
  })

  it('takes a long timed wait at once, and a shorter one of a program that draws', () => {
    const timed = (timeoutMs: number) => [
      written(1),
      running(2),
      output(5),
      look(10, waiting(CHILD, 5, { call: 'poll', timeoutMs })),
      settings(11, false, false),
    ]
    expect(verdictAt(11, timed(5_000))).toBe('stdin_read/line')
    expect(verdictAt(30, timed(500))).toBe('look')
    expect(verdictAt(11, timed(500), start({ addressing: true }))).toBe('stdin_read/fullscreen')
    expect(verdictAt(60, timed(100), start({ alternateScreen: true }))).toBe('look')
  })

  it('takes no wait for the rest of a key for one that wants the next', () => {
    const drawn = start({ alternateScreen: true })
    const facts = [written(1), running(2), look(10, waiting(CHILD, 5, { call: 'poll', timeoutMs: 1_000 }))]
    expect(verdictAt(10, facts, drawn)).toBe('stdin_read/fullscreen')
    expect(verdictAt(10, facts, { ...drawn, endsInEscape: true })).toBe('look')
  })

  it('lets text without Enter leave a reader of whole lines where it was', () => {
    const partial = { ...before, input: 'partial' as const }
    const facts = [written(1), output(2), look(3, waiting(CHILD, 7)), settings(4, true, true)]
    expect(verdictAt(30, [...facts, look(30, waiting(CHILD, 7))], partial)).toBe('look')
    expect(verdictAt(70, [...facts, look(70, waiting(CHILD, 7))], partial)).toBe('stdin_read/line')
  })

  it('does not take a pager that leaves for a reader of whole lines (B011)', () => {
    const partial = start({
      phase: 'running',
      before: waiting(CHILD, 7),
      input: 'partial',
      alternateScreen: true,
      keypad: true,
    })
    const leaving: Fact[] = [
      written(0.5),
      look(0.6, waiting(CHILD, 7)),
      { type: 'mode', at: 68, mode: 'keypad', on: false },
      { type: 'mode', at: 68, mode: 'alternate-screen', on: false },
      ended(109),
      { type: 'mode', at: 109, mode: 'bracketed-paste', on: true },
    ]
    for (let count = 2; count <= leaving.length; count++) {
      expect(verdictAt(110, leaving.slice(0, count), partial)).toBe('look')
    }
  })

  it('gives nothing before the input has been taken', () => {
    expect(verdictAt(500, [output(2), look(3, waiting(CHILD, 8)), settings(4, true, true)], before)).toBe('look')
  })

  it('names a stopped member that no shell takes care of', () => {
    const stopped = lookAt(CHILD, { stopped: true })
    expect(verdictAt(50, [written(1), look(3, stopped)], before)).toBe('look')
    expect(verdictAt(200, [written(1), look(3, stopped), look(200, stopped)], before)).toBe('inferred_idle/stopped')
  })
})

describe('the verdict on silence', () => {
  const silent = [written(1), running(2), look(3, lookAt(CHILD))]

  it('infers idleness after the configured silence', () => {
    expect(verdictAt(3_000, silent)).toBe('look')
    expect(verdictAt(3_001, silent)).toBe('inferred_idle/quiet')
  })

  it.each<[string, Partial<Look>]>([
    ['a timed sleep', { timedSleep: true }],
    ['an uninterruptible wait', { uninterruptible: true }],
    ['CPU time', { cpuMs: 400 }],
    ['one that gets no processor', { runnable: true }],
    ['another process', { pids: [CHILD, 201] }],
  ])('does not count while there is %s', (_name, work) => {
    const facts = [...silent, look(2_000, lookAt(CHILD, work))]
    expect(verdictAt(4_500, facts)).toBe('look')
    expect(verdictAt(5_000, facts)).toBe('inferred_idle/quiet')
  })

  it('does not take raw mode alone for a question', () => {
    const carrier = waiting(CHILD, 5, { call: 'poll', others: 3 })
    const facts = [written(1), running(2), look(10, lookAt(CHILD, { waitsKnown: false })), settings(11, false, false)]
    expect(verdictAt(4_000, facts)).toBe('inferred_idle/quiet')
    expect(verdictAt(4_000, facts, start({ keypad: true }))).toBe('inferred_idle/key')
    const loop = [
      written(1),
      running(2),
      look(10, { ...carrier, waits: carrier.waits.map((each) => ({ ...each, call: 'epoll' as const })) }),
    ]
    expect(verdictAt(4_000, [...loop, settings(11, false, false)])).toBe('inferred_idle/quiet')
  })

  it('does not count while the shell itself runs a command', () => {
    expect(verdictAt(3_500, [written(1), running(2), look(3_000, lookAt(SHELL))])).toBe('look')
  })

  it('waits on by the grace after a prompt mark', () => {
    const facts = [written(1), running(2), ended(3), prompted(4), look(5, lookAt(SHELL))]
    expect(verdictAt(3_100, facts)).toBe('look')
    expect(verdictAt(3_600, facts)).toBe('inferred_idle/prompt')
  })

  it('is not accepted at a start', () => {
    expect(verdictAt(20_000, silent, start(), { acceptsSilence: false })).toBe('look')
  })

  it('is held back by redrawing, within a bound', () => {
    const frames = Array.from({ length: 160 }, (_, i) => output(100 * i + 10, true))
    expect(verdictAt(14_000, [...silent, ...frames.slice(0, 140)])).toBe('look')
    expect(verdictAt(15_920, [...silent, ...frames])).toBe('timeout/busy')
  })

  it('ends at the timeout, busy or quiet', () => {
    const first = start()
    expect(
      verdictAt(2_000, [...silent, look(1_900, lookAt(CHILD, { timedSleep: true }))], first, { timeoutMs: 2_000 }),
    ).toBe('timeout/busy')
    expect(verdictAt(2_000, silent, first, { timeoutMs: 2_000, idleSilenceMs: 1_000, acceptsSilence: false })).toBe(
      'timeout/quiet',
    )
  })

  it('takes echo switched off for a question where waits cannot be read', () => {
    const blind = lookAt(CHILD, { waitsKnown: false })
    const facts = [written(1), running(2), output(3), look(4, blind)]
    expect(verdictAt(200, facts)).toBe('look')
    expect(verdictAt(304, facts)).toBe('ask-attributes')
    expect(verdictAt(306, [...facts, settings(305, false, true)])).toBe('inferred_idle/hidden')
    expect(verdictAt(306, [...facts, settings(305, true, true)])).toBe('look')
  })
})

describe('looking again', () => {
  it('follows news closely and thins out with its age', () => {
    const delay = (now: number) => {
      const verdict = judge(gather(start(), [written(1), running(2)]), POLICY, now)
      return verdict.kind === 'look' ? verdict.at - now : Number.NaN
    }
    expect(delay(2)).toBe(1)
    expect(delay(22)).toBe(15)
    expect(delay(200)).toBe(50)
    expect(delay(502)).toBe(100)
    expect(delay(2_000)).toBe(200)
  })

  it('is never due in the past', () => {
    for (const now of [1, 5, 80, 700, 2_999, 3_400]) {
      const verdict = judge(gather(start(), [written(1), output(1), running(1), look(1, lookAt(CHILD))]), POLICY, now)
      if (verdict.kind === 'look') expect(verdict.at).toBeGreaterThanOrEqual(now)
    }
  })
})

describe('the verdict about one line that is redrawn', () => {
  const frames = [written(1), running(2), output(100, true), output(200, true)]

  it('is time, within a bound of its own', () => {
    expect(verdictAt(15_100, [...frames, output(15_000, true)])).toBe('timeout/busy')
  })

  it('does not forget since when over output that shows nothing', () => {
    const unseen: Fact = { type: 'output', at: 300, printed: false, redrawOnly: false }
    expect(gather(start(), [...frames, unseen]).redrawSince).toBe(100)
    expect(gather(start(), [written(1), unseen]).redrawSince).toBeUndefined()
  })

  it('is left to silence once nothing is redrawn any more', () => {
    expect(verdictAt(20_000, [...frames, look(19_999, lookAt(CHILD))])).toBe('inferred_idle/quiet')
  })
})

describe('the verdict about a wait of the shell that a program had before', () => {
  it('waits for the mark, which may be on its way', () => {
    const first = start({ phase: 'running', before: lookAt(CHILD) })
    const back = [written(1), look(5, unread(waiting(SHELL, 6))), look(6, unread(waiting(SHELL, 6)))]
    expect(verdictAt(6, back, first)).toBe('look')
    expect(verdictAt(160, [...back, look(160, unread(waiting(SHELL, 6)))], first)).toBe('ask-attributes')
  })
})

describe('the verdict about a loop over events', () => {
  it('takes longer to believe a line that only may be a prompt', () => {
    const loop = waiting(CHILD, 6, { call: 'epoll' })
    const line = { ...NO_LINE, isPrompt: true }
    const facts = [written(1), running(2), output(3), look(10, loop, line), settings(11, true, true)]
    expect(verdictAt(60, [...facts, look(60, loop, line)])).toBe('look')
    expect(verdictAt(111, [...facts, look(111, loop, line)])).toBe('stdin_read/line')
  })
})
