import { isAlive, useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { remainingFacts } from '../src/result/remaining.js'
import { buildRealHouse, type RealHouse } from './real-house.js'

useBaseline()

let house: RealHouse
beforeEach(async () => {
  house = await buildRealHouse()
})
afterEach(() => house.dispose())

/** Run a command in the background and return the last word of its job. */
async function runJob(sessionId: string, text: string): Promise<string> {
  const { result } = await house.call('terminal_send', { sessionId, text, run_in_background: true })
  return house.text('job_output', { jobId: String(result.structured?.jobId), wait: true })
}

const pidOf = (text: string) => Number(/\(pid (\d+)\)/.exec(text)?.[1])

describe('what outlives its command', () => {
  it('is named where a job says that its program has ended (B064)', async () => {
    const sessionId = await house.open()
    const text = await runJob(sessionId, `sh -c 'nohup sleep 30 >/dev/null 2>&1 & exit 0'`)
    expect(text).toMatch(
      /^\[exit 0, no output\]\n\[still running: 1 process: sleep \(pid \d+\); terminal_close ends it\]\n\[job terminal-1: completed\]$/,
    )
    expect(isAlive(pidOf(text))).toBe(true)
    await house.call('terminal_close', { sessionId })
    expect(isAlive(pidOf(text))).toBe(false)
  })

  it('is found wherever it has gone', async () => {
    const sessionId = await house.open()
    const text = await runJob(
      sessionId,
      'setsid --fork sleep 30; (env -i /bin/sleep 31 &); sleep 32 & sleep 0.1; (exit 3)',
    )
    expect(text).toMatch(
      /\[exit 3\]\n\[still running: 3 processes: (sleep \(pid \d+\)(, )?){3}; terminal_close ends them\]\n/,
    )
  })

  it('is not mentioned where there is nothing', async () => {
    const sessionId = await house.open()
    expect(await runJob(sessionId, 'echo done')).toBe('done\n[job terminal-1: completed]')
  })

  it('is named with the end of the terminal, as text and as data (B038)', async () => {
    const sessionId = await house.open()
    const { result } = await house.call('terminal_send', { sessionId, text: 'sleep 60 & exit 1' })
    const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
    expect(text).toMatch(
      /\[session_exit: the terminal has ended \(exit 1\);.*\]\n(?:\[.*\]\n)*\[still running: 1 process: sleep/,
    )
    expect(result.structured?.remaining).toEqual([{ pid: pidOf(text), command: 'sleep' }])
    await house.call('terminal_close', { sessionId })
    expect(isAlive(pidOf(text))).toBe(false)
  })
})

describe('the fact', () => {
  const process = (pid: number, command = 'sleep') => ({ pid, command })
  it.each([
    [[], []],
    [[process(7)], ['still running: 1 process: sleep (pid 7); terminal_close ends it']],
    [
      [1, 2, 3, 4, 5, 6, 7].map((pid) => process(pid)),
      [
        'still running: 7 processes: sleep (pid 1), sleep (pid 2), sleep (pid 3), sleep (pid 4), sleep (pid 5), and 2 more; terminal_close ends them',
      ],
    ],
    [[process(8, 'a\u001b[31m\nb')], ['still running: 1 process: a b (pid 8); terminal_close ends it']],
  ])('of %j is %j', (processes, texts) => {
    expect(remainingFacts(processes).map(({ text }) => text)).toEqual(texts)
  })
})
