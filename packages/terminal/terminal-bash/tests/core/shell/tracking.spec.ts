import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShellEvent } from '../../../src/core/shell/events.js'
import {
  lastCommand,
  promptDetection,
  type ShellTracking,
  STARTING,
  type TrackingEvent,
  trackShell,
} from '../../../src/core/shell/tracking.js'

const promptStart = (exitCode: number, line: number, startsTold = true): ShellEvent => ({
  kind: 'prompt-start',
  exitCode,
  line,
  startsTold,
  editorSeen: true,
})
const promptEnd: ShellEvent = { kind: 'prompt-end' }
const commandStart = (line?: number, previousExitCode?: number): ShellEvent => ({
  kind: 'command-start',
  line,
  previousExitCode,
})
const commandEnd = (exitCode: number): ShellEvent => ({ kind: 'command-end', exitCode })
const typed = (text: string): TrackingEvent => ({ kind: 'typed', text })

/** Events one millisecond apart, the first at 1. */
function follow(events: readonly TrackingEvent[], from: ShellTracking = STARTING): ShellTracking {
  return events.reduce((tracking, event, index) => trackShell(tracking, event, index + 1), from)
}

const AT_PROMPT = follow([promptStart(0, 0), promptEnd])

describe('trackShell', () => {
  it('goes from the start through a prompt and a command to the next prompt', () => {
    const timeline: readonly [TrackingEvent, string][] = [
      [{ kind: 'user-rc' }, 'starting'],
      [promptStart(0, 0), 'prompting'],
      [{ kind: 'cwd', cwd: '/tmp' }, 'prompting'],
      [promptEnd, 'editing'],
      [typed('false'), 'editing'],
      [commandStart(1, 0), 'running'],
      [commandEnd(1), 'between'],
      [promptStart(1, 1), 'prompting'],
      [promptEnd, 'editing'],
    ]
    let tracking = STARTING
    for (const [index, [event, phase]] of timeline.entries()) {
      tracking = trackShell(tracking, event, index)
      expect([event.kind, tracking.phase.kind]).toEqual([event.kind, phase])
    }
    expect(tracking.finished).toEqual({
      commandId: 'command-1',
      commandLine: 'false',
      startedAt: 5,
      exitCode: 1,
      durationMs: 1,
    })
    expect(tracking.cwd).toBe('/tmp')
  })

  it('knows the text of every command of a paste and takes its code from its successor', () => {
    const first = follow([typed('a\nb <<E\nx\nE\nc'), commandStart(1, 0)], AT_PROMPT)
    const second = follow([commandStart(4, 3)], first)
    const third = follow([commandStart(5, 0), commandEnd(9)], second)
    expect(second.finished).toMatchObject({ commandLine: 'a', exitCode: 3 })
    expect(third.finished).toMatchObject({ commandLine: 'c', exitCode: 9, commandId: 'command-3' })
    expect(follow([commandStart(5, 0)], second).finished).toMatchObject({ commandLine: 'b <<E\nx\nE', exitCode: 0 })
  })

  it('joins what was typed at the prompt and at continuation prompts', () => {
    const events = [
      typed('for i in 1'),
      { kind: 'continuation' } as const,
      typed('do :'),
      typed('done'),
      commandStart(3, 0),
    ]
    const { phase } = follow(events, AT_PROMPT)
    expect(phase).toMatchObject({ kind: 'running', command: { commandLine: 'for i in 1\ndo :\ndone' } })
  })

  it.each([
    ['another hand typed the line', [commandStart(1, 0)]],
    ['another hand typed lines besides', [typed('a'), commandStart(3, 0)]],
    ['the shell does not count its lines', [typed('a\nb'), commandStart(undefined, 0)]],
  ])('does not know the text when %s', (_why, events) => {
    expect(follow(events, AT_PROMPT).phase).toMatchObject({ kind: 'running', command: { commandLine: undefined } })
  })

  it('takes one typed line for the command of a shell that does not count', () => {
    const { phase } = follow([typed('a b'), commandStart()], AT_PROMPT)
    expect(phase).toMatchObject({ kind: 'running', command: { commandLine: 'a b' } })
  })

  it('forgets typed lines that led to no command', () => {
    const { phase } = follow(
      [typed('# note'), commandEnd(0), promptStart(0, 1), promptEnd, commandStart(2, 0)],
      AT_PROMPT,
    )
    expect(phase).toMatchObject({ kind: 'running', command: { commandLine: undefined } })
  })

  it('doubts a prompt that comes without the end of its command', () => {
    const running = follow([typed('echo "${PS1@P}"'), commandStart(1, 0)], AT_PROMPT)
    const doubtful = follow([promptStart(4, 1), promptEnd], running)
    expect(doubtful.phase).toMatchObject({ kind: 'doubtful', exitCode: 4 })
    expect(doubtful.finished).toBe(running.finished)
    expect(lastCommand(doubtful, 50)).toMatchObject({ commandId: 'command-1', exitCode: 4 })
    expect(follow([commandEnd(0)], doubtful).finished).toMatchObject({ commandId: 'command-1', exitCode: 0 })
    expect(follow([typed('ls'), commandStart(2)], doubtful)).toMatchObject({
      finished: { commandId: 'command-1', exitCode: 4 },
      phase: { kind: 'running', command: { commandId: 'command-2', commandLine: 'ls' } },
    })
  })

  it('ignores the end of a command that never began, as an empty line gives', () => {
    expect(follow([typed(''), commandEnd(5)], AT_PROMPT).finished).toBeUndefined()
  })

  it('takes such an end for a command where old bash tells no start', () => {
    const old = follow([promptStart(0, 0, false), promptEnd])
    expect(follow([typed('(exit 5)'), commandEnd(5)], old).finished).toMatchObject({
      commandId: 'command-1',
      commandLine: '(exit 5)',
      exitCode: 5,
      durationMs: 1,
    })
    expect(follow([typed('  '), commandEnd(5)], old).finished).toBeUndefined()
  })

  it('is lost when the marks are missing, and found with the next prompt', () => {
    const lost = follow([typed('exec sh'), commandStart(1, 0), { kind: 'marks-missing' }], AT_PROMPT)
    expect(promptDetection(lost)).toBe('lost')
    expect(lost.finished).toMatchObject({ commandLine: 'exec sh', exitCode: undefined })
    expect(promptDetection(follow([promptStart(0, 2), promptEnd], lost))).toBe('active')
  })

  it('ends the running command when the shell leaves', () => {
    const { phase, finished } = follow(
      [typed('exit 3'), commandStart(1, 0), { kind: 'exiting', exitCode: 3 }],
      AT_PROMPT,
    )
    expect(phase).toEqual({ kind: 'exiting', exitCode: 3 })
    expect(finished).toMatchObject({ commandLine: 'exit 3', exitCode: 3 })
  })

  it('takes a typed line for a running command where the prompt is drawn elsewhere', () => {
    const unseen: TrackingEvent = { ...promptStart(0, 1, false), editorSeen: false } as TrackingEvent
    const running = follow([unseen, promptEnd, typed('echo a')])
    expect(running.phase).toMatchObject({ kind: 'running', command: { commandLine: 'echo a' } })
    expect(follow([unseen, promptEnd, typed('echo a'), commandEnd(3)]).finished).toMatchObject({ exitCode: 3 })
    expect(follow([unseen, promptEnd, typed(' ')]).phase.kind).toBe('editing')
  })

  it('takes no missing mark for lost prompts once the shell has said that it exits', () => {
    const exiting = follow([promptStart(0, 1), promptEnd, { kind: 'exiting', exitCode: 3 }])
    expect(trackShell(exiting, { kind: 'marks-missing' }, 9)).toBe(exiting)
  })

  it('proves nothing before the first prompt', () => {
    expect(promptDetection(STARTING)).toBe('none')
    expect(promptDetection(follow([{ kind: 'user-rc' }]))).toBe('none')
  })

  const anyEvent: fc.Arbitrary<TrackingEvent> = fc.oneof(
    fc.constantFrom<TrackingEvent>(promptEnd, { kind: 'continuation' }, { kind: 'user-rc' }, { kind: 'marks-missing' }),
    fc.record({
      kind: fc.constant('prompt-start' as const),
      exitCode: fc.option(fc.nat(255), { nil: undefined }),
      line: fc.option(fc.nat(20), { nil: undefined }),
      startsTold: fc.boolean(),
      editorSeen: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('command-start' as const),
      line: fc.option(fc.nat(20), { nil: undefined }),
      previousExitCode: fc.option(fc.nat(255), { nil: undefined }),
    }),
    fc.nat(255).map(commandEnd),
    fc.string().map(typed),
  )

  it('numbers commands in order and ends none of them twice, whatever comes', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let tracking = STARTING
        const ended: string[] = []
        for (const [at, event] of events.entries()) {
          const before = tracking
          tracking = trackShell(before, event, at)
          expect(tracking.commands).toBeGreaterThanOrEqual(before.commands)
          if (tracking.finished && tracking.finished !== before.finished) ended.push(tracking.finished.commandId)
        }
        expect(new Set(ended).size).toBe(ended.length)
        expect(ended).toEqual([...ended].sort((a, b) => Number(a.split('-')[1]) - Number(b.split('-')[1])))
      }),
    )
  })
})
