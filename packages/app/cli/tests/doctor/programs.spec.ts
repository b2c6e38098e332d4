import type { EvidenceReading } from '@agent-terminals/subprocess/diagnostics'
import type { SendOutcome } from '@agent-terminals/terminal'
import { describe, expect, test } from 'vitest'
import { checkSources, examinePrograms } from '../../src/doctor/programs.js'
import type { Check } from '../../src/doctor/report.js'
import { failed, settled } from './outcomes.js'

const SOURCES = ['prompt-marks', 'foreground-group', 'tty-waits', 'attributes']
const right: EvidenceReading = { source: '/proc/<pid>/stat', ok: true, detail: 'cat is in front' }
const wrong: EvidenceReading = { source: '/proc/<pid>/mem', ok: false, detail: 'not readable here' }

describe('the sources of evidence', () => {
  test('are named when all of them answer', () => {
    expect(checkSources(SOURCES, [right])).toEqual({
      name: 'evidence',
      status: 'ok',
      detail: 'prompt-marks, foreground-group, tty-waits, attributes',
    })
  })

  test('are a warning that names the one which does not', () => {
    expect(checkSources(SOURCES, [right, wrong])).toMatchObject({
      status: 'warn',
      notes: ['/proc/<pid>/mem: not readable here'],
      cost: expect.any(String),
      advice: expect.any(String),
    })
  })

  test('are a warning when waits cannot be proven at all', () => {
    expect(checkSources(['prompt-marks'], [])).toMatchObject({
      status: 'warn',
      detail: 'prompt-marks; waits for input are not proven',
      advice: expect.stringMatching(/only Linux/),
    })
  })
})

test('sources that are all readable and not in use point at the composition', () => {
  expect(checkSources(['prompt-marks'], [right])).toMatchObject({
    status: 'warn',
    advice: expect.stringMatching(/inspector: off/),
    notes: [],
  })
})

/** Answers each send in turn, and writes down what was sent. */
async function examineWith(answers: Readonly<Record<string, SendOutcome>>, readings: readonly EvidenceReading[] = []) {
  const sent: string[] = []
  const checks: Check[] = []
  const opened = { pid: 7, evidence: SOURCES }
  const send = async (text: string) => {
    sent.push(text)
    return answers[text.split(' ')[0] ?? ''] ?? settled()
  }
  await examinePrograms(
    { opened, send },
    (check) => checks.push(check),
    async () => readings,
  )
  return { sent, checks }
}

describe('programs that wait', () => {
  test('are recognised, and left', async () => {
    const hidden = settled({ state: 'hidden' })
    const { sent, checks } = await examineWith({ cat: settled({ state: 'line' }), read: hidden, python3: hidden })
    expect(checks.map(({ name, status }) => [name, status])).toEqual([
      ['evidence', 'ok'],
      ['sees cat', 'ok'],
      ['sees read', 'ok'],
      ['sees getpass', 'ok'],
    ])
    expect(sent.filter((_, at) => at % 2 === 1)).toEqual(['\u0004', '\r', '\r'])
  })

  test('that look like something else are warnings, with the sources that do not answer', async () => {
    const { checks } = await examineWith({ cat: settled({ waitReason: 'inferred_idle', state: 'quiet' }) }, [
      right,
      wrong,
    ])
    expect(checks.find(({ name }) => name === 'sees cat')).toMatchObject({
      status: 'warn',
      detail: 'a program that reads lines looks like inferred_idle, quiet',
      cost: expect.stringMatching(/silence/),
      notes: ['/proc/<pid>/mem: not readable here'],
    })
  })

  test('that cannot be run at all are warnings, too', async () => {
    const { checks } = await examineWith({ cat: failed })
    expect(checks.find(({ name }) => name === 'sees cat')).toMatchObject({ status: 'warn' })
  })

  test('that are not installed are not tried, and nothing is typed at the prompt', async () => {
    const { sent, checks } = await examineWith({
      cat: settled({ state: 'line' }),
      read: settled({ state: 'hidden' }),
      python3: settled({ exitCode: 127 }),
    })
    expect(checks.at(-1)).toEqual({ name: 'sees getpass', status: 'ok', detail: 'not tried: python3 is not installed' })
    expect(sent.at(-1)).toMatch(/^python3/)
  })
})
