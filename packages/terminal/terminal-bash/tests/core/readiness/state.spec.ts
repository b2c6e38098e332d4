import { describe, expect, it } from 'vitest'
import { type Evidence, startEvidence } from '../../../src/core/readiness/evidence.js'
import { NO_LINE, type WaitSeen } from '../../../src/core/readiness/facts.js'
import type { ReadinessPolicy } from '../../../src/core/readiness/policy.js'
import { currentState, stateAtSilence, stateOfWait } from '../../../src/core/readiness/state.js'

const POLICY = { idleSilenceMs: 3_000 } as ReadinessPolicy
const RAW = { echo: false, canonical: false, signals: true }
const LINE = { echo: true, canonical: true, signals: true }
const HIDDEN = { ...LINE, echo: false }
const PROMPT = { ...NO_LINE, isPrompt: true }

const look = (...waits: readonly WaitSeen[]): NonNullable<Evidence['look']> => ({
  pgid: 200,
  isShell: false,
  waits,
  waitsKnown: true,
  pids: [200],
  cpuMs: 0,
  uninterruptible: false,
  timedSleep: false,
  stopped: false,
})
const wait = (call: WaitSeen['call']): WaitSeen => ({ pid: 200, tid: 200, call, wakeups: 2 })
const unproven = { ...look(), waitsKnown: false }

/** A program that runs, with these facts about it. */
const evidence = (more: Partial<Evidence>): Evidence => ({
  ...startEvidence({
    type: 'start',
    at: 0,
    input: 'line',
    phase: 'running',
    alternateScreen: false,
    bracketedPaste: false,
    addressing: false,
    keypad: false,
  }),
  ...more,
})
const attributes = (value: typeof LINE) => ({ attributes: { at: 0, value } })

describe('a program that waits', () => {
  it.each<[string, Partial<Evidence>, string]>([
    ['draws the alternate screen', { alternateScreen: true }, 'fullscreen'],
    ['has bracketed paste on', { bracketedPaste: true }, 'line'],
    ['has not been asked how it reads', {}, 'unknown'],
    ['cannot be asked how it reads', { attributes: { at: 0 } }, 'line'],
    ['reads lines', attributes(LINE), 'line'],
    ['reads lines with echo off', attributes(HIDDEN), 'hidden'],
    ['reads keys and places the cursor', { ...attributes(RAW), addressing: true }, 'fullscreen'],
    ['reads keys with the keypad on', { ...attributes(RAW), keypad: true, look: look(wait('read')) }, 'key'],
    ['selects keys with the keypad on', { ...attributes(RAW), keypad: true, look: look(wait('poll')) }, 'fullscreen'],
    ['selects the terminal alone', { ...attributes(RAW), look: look(wait('poll')) }, 'line'],
    ['loops over events at a prompt', { ...attributes(RAW), look: look(wait('epoll')), line: PROMPT }, 'line'],
    ['reads keys', { ...attributes(RAW), look: look(wait('read')) }, 'key'],
  ])('and %s', (_, facts, state) => {
    expect(stateOfWait(evidence(facts))).toBe(state)
  })
})

describe('silence', () => {
  it.each<[string, Partial<Evidence>, string]>([
    ['at the prompt is the prompt', { phase: 'prompt' }, 'prompt'],
    ['in an unfinished command is that', { phase: 'continuation' }, 'continuation'],
    ['of a program on the alternate screen', { alternateScreen: true, look: look() }, 'fullscreen'],
    ['of a program that is proven not to wait', { look: look() }, 'quiet'],
    ['of one that may wait has to be asked about', { look: unproven }, 'unknown'],
    ['after output, with older answers', { look: unproven, ...attributes(LINE), lastOutputAt: 5 }, 'unknown'],
    ['without an answer', { look: unproven, attributes: { at: 0 } }, 'quiet'],
    ['with echo off', { look: unproven, ...attributes(HIDDEN) }, 'hidden'],
    ['behind a question', { look: unproven, ...attributes(LINE), line: PROMPT }, 'line'],
    ['behind no question', { look: unproven, ...attributes(LINE) }, 'quiet'],
    ['of one that places the cursor', { look: unproven, ...attributes(RAW), addressing: true }, 'fullscreen'],
    ['of an editor of lines', { look: unproven, ...attributes(RAW), bracketedPaste: true }, 'line'],
    ['of one that takes keys', { look: unproven, ...attributes(RAW), keypad: true }, 'key'],
    ['of one that carries bytes', { look: unproven, ...attributes(RAW) }, 'quiet'],
  ])('%s', (_, facts, state) => {
    expect(stateAtSilence(evidence(facts))).toBe(state)
  })
})

describe('while a send is waited for, the state', () => {
  it.each<[string, Partial<Evidence>, number, string]>([
    ['of a shell that has gone', { hasExited: true }, 0, 'ended'],
    ['of a stopped program', { stoppedSince: 0 }, 0, 'stopped'],
    ['at a new prompt', { phase: 'prompt', sawPrompt: true }, 0, 'prompt'],
    ['of a program on the alternate screen', { alternateScreen: true }, 0, 'fullscreen'],
    ['of one that is found waiting', { ...attributes(LINE), look: look(wait('read')) }, 0, 'line'],
    ['of one that printed a moment ago', { lastOutputAt: 5_000 }, 6_000, 'busy'],
    ['of one that has been silent', {}, 6_000, 'quiet'],
  ])('%s', (_, facts, now, state) => {
    expect(currentState(evidence(facts), POLICY, now)).toBe(state)
  })
})
