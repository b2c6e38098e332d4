/** From opening to the proof that nothing is left, through the tools, over a real shell. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { isAlive, listDescendants, readProcesses, useBaseline, waitUntil } from '@agent-terminals/testing'
import { joinBlocks } from '@agent-terminals/text'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asSessionId } from '../src/tools/toolkit.js'
import { buildRealHouse, type RealHouse } from './real-house.js'

useBaseline()

let house: RealHouse
beforeEach(async () => {
  house = await buildRealHouse()
})
afterEach(() => house.dispose())

const send = (sessionId: string, text: string, more: Record<string, unknown> = {}) =>
  house.call('terminal_send', { sessionId, text, ...more })
const outputOf = async (...args: Parameters<typeof send>) => (await send(...args)).result.structured?.text
const pidOf = (sessionId: string) => house.root.terminals.get(house.agent, asSessionId(sessionId)).pid

/** Processes of this machine by a word of their own in the command line. */
const findSleepers = (seconds: readonly number[]) =>
  readProcesses().filter(({ pid, command, state }) => {
    if (command !== 'sleep' || state === 'Z') return false
    try {
      return seconds.some((each) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').endsWith(`\0${each}\0`))
    } catch {
      return false
    }
  })

const countDescriptors = () => {
  const targets = readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)]
    } catch {
      return []
    }
  })
  return { all: targets.length, terminals: targets.filter((target) => target.endsWith('/ptmx')).length }
}

describe.skipIf(process.platform !== 'linux')('opening and ending terminals over and over (needs procfs)', () => {
  it('leaves descriptors, terminals and zombies as they were, and each failed opening names its reason (B031, B032, B040)', async () => {
    const run = async (round: number) => {
      const sessionId = await house.open()
      expect(await outputOf(sessionId, `echo ${round}`)).toBe(`${round}\n`)
      if (round % 2 === 0) await send(sessionId, 'exit 3')
      await house.call('terminal_close', { sessionId })
      const { result } = await house.call('terminal_open', { type: 'shell', cwd: `nowhere-${round}` })
      expect(result).toMatchObject({ isError: true, code: 'CWD_MISSING' })
      expect(JSON.stringify(result.content)).toContain(`nowhere-${round}`)
    }
    await run(0)
    const before = countDescriptors()
    for (let round = 1; round <= 20; round++) await run(round)
    expect(countDescriptors()).toEqual(before)
    expect(listDescendants(process.pid).filter(({ state }) => state === 'Z')).toEqual([])
  })

  it('reaches only the terminal that is closed, however soon after its opening (B037)', async () => {
    const bystander = await house.open()
    await send(bystander, 'sleep 601 &')
    for (let round = 0; round < 20; round++) {
      const opened = await house.open()
      const pid = pidOf(opened)
      await house.call('terminal_close', { sessionId: opened })
      expect(isAlive(pid)).toBe(false)
    }
    expect(findSleepers([601])).toHaveLength(1)
    expect(await outputOf(bystander, 'echo still here')).toBe('still here\n')
  })
})

describe.skipIf(process.platform !== 'linux')('a terminal that is closed (needs procfs)', () => {
  it.each([
    ['a child in a session of its own (B034)', 'setsid sleep 611 & sleep 0.05'],
    ['children of a child (B035)', '(sleep 611 & sleep 612) & sleep 0.05'],
    ['a stopped foreground program (B046)', 'sleep 611 & kill -STOP $!; sleep 612 & sleep 0.05'],
    ['a background reader (B049)', 'cat & sleep 611 & sleep 0.05'],
  ])('takes %s with it', async (_what, text) => {
    const sessionId = await house.open()
    await send(sessionId, text)
    expect(findSleepers([611, 612]).length).toBeGreaterThan(0)
    expect(await house.text('terminal_close', { sessionId })).toBe('[closed; its processes were ended]')
    expect(findSleepers([611, 612])).toEqual([])
  })

  it('says that it ended what a shell had left behind when it ended by itself', async () => {
    const sessionId = await house.open()
    await send(sessionId, 'setsid sleep 611 & exit 1')
    const { result } = await house.call('terminal_close', { sessionId })
    expect(result.structured).toEqual({ killed: true })
    expect(joinBlocks(result.content)).toBe('[closed; its processes were ended]')
    expect(findSleepers([611])).toEqual([])
  })

  it('says that a terminal that had left nothing behind had already ended', async () => {
    const sessionId = await house.open()
    await send(sessionId, 'exit 1')
    const { result } = await house.call('terminal_close', { sessionId })
    expect(result.structured).toEqual({ killed: false })
    expect(joinBlocks(result.content)).toBe('[closed; it had already ended]')
  })

  it('leaves nothing of a job that ran into its time limit (B035, B062)', async () => {
    const sessionId = await house.open()
    await send(sessionId, '(sleep 611 & sleep 612)', { run_in_background: true, timeoutMs: 300 })
    const text = await house.text('job_output', { jobId: 'terminal-1', wait: true })
    expect(text).toMatch(/\[timeout: .* still running/)
    expect(text).toMatch(/\[job terminal-1: failed\]$/)
    await house.call('terminal_close', { sessionId })
    expect(findSleepers([611, 612])).toEqual([])
  })
})

describe('job_kill', () => {
  it('names what it leaves, and closing ends it (B035)', async () => {
    const sessionId = await house.open()
    await send(sessionId, 'echo up; (sleep 631 & sleep 632)', { run_in_background: true })
    await waitUntil('both run', () => findSleepers([631, 632]).length === 2)
    // A shell without job control has its background children ignore SIGINT.
    const named =
      /\[killed; SIGINT was delivered to process group \d+\]\n\[still running: 1 process: sleep \(pid \d+\); terminal_close ends it\]\n\[job terminal-1: killed\]$/
    expect(await house.text('job_kill', { jobId: 'terminal-1' })).toMatch(named)
    expect(await house.text('job_output', { jobId: 'terminal-1' })).toMatch(named)
    await house.call('terminal_close', { sessionId })
    expect(findSleepers([631, 632])).toEqual([])
  })
})

describe('job control', () => {
  it('works, without a warning of the shell (B041)', async () => {
    const sessionId = await house.open()
    expect(await outputOf(sessionId, 'sleep 621 &')).toMatch(/^\[1\] \d+\n$/)
    await send(sessionId, 'kill %1; wait %1')
    const { result } = await send(sessionId, 'jobs; echo end')
    expect(result.structured?.text).not.toContain('job control')
    expect(result.structured?.text).toMatch(/end\n$/)
    expect(listDescendants(pidOf(sessionId))).toEqual([])
  })

  it('shows a stopped program, which a signal resumes and another ends (B046)', async () => {
    const sessionId = await house.open()
    const sending = send(sessionId, 'sleep 622')
    await waitUntil('it runs', () => findSleepers([622]).length === 1)
    await house.call('terminal_signal', { sessionId, signal: 'SIGTSTP' })
    const { structured, content } = (await sending).result
    expect(structured).toMatchObject({ state: 'stopped', sessionStatus: { kind: 'running' } })
    expect(JSON.stringify(content)).toContain('send \\"fg\\" to resume it')
    expect(await outputOf(sessionId, 'jobs')).toMatch(/Stopped\s+sleep 622/)
    await send(sessionId, 'fg', { timeoutMs: 300 })
    expect(await house.text('terminal_signal', { sessionId, signal: 'SIGINT' })).toMatch(
      /^\[SIGINT delivered to process group \d+\]$/,
    )
    await send(sessionId, '', { submit: false })
    expect(await outputOf(sessionId, 'echo next')).toBe('next\n')
  })

  it('shows a background reader as stopped, and the prompt goes on (B049)', async () => {
    const sessionId = await house.open()
    await send(sessionId, 'cat &')
    await waitUntil('it is stopped', async () => /Stopped/.test(String(await outputOf(sessionId, 'jobs'))))
    expect(await outputOf(sessionId, 'echo ok')).toBe('ok\n')
  })
})

describe('a signal', () => {
  it('reaches a program that has switched the interrupt key off, and the result names its group (B043)', async () => {
    const sessionId = await house.open()
    const program =
      'import tty, time\ntry:\n tty.setraw(0); print("up", flush=True); time.sleep(60)\nexcept KeyboardInterrupt: print("caught")'
    await send(sessionId, `python3 -c '${program}'; stty sane`, { timeoutMs: 2_000 })
    const [foreground] = listDescendants(pidOf(sessionId))
    expect(await house.text('terminal_signal', { sessionId, signal: 'SIGINT' })).toBe(
      `[SIGINT delivered to process group ${foreground?.pid}]`,
    )
    expect(await outputOf(sessionId, '', { submit: false })).toContain('caught')
  })

  it('for a terminal that has ended is answered with how it ended (B047)', async () => {
    const sessionId = await house.open()
    await send(sessionId, 'exec true')
    const { result } = await house.call('terminal_signal', { sessionId, signal: 'SIGINT' })
    expect(result).toMatchObject({ isError: true, code: 'SESSION_ENDED' })
    expect(joinBlocks(result.content)).toMatch(/exit code 0/)
  })

  it('SIGKILL for the shell itself is refused with advice', async () => {
    const sessionId = await house.open()
    const { result } = await house.call('terminal_signal', { sessionId, signal: 'SIGKILL' })
    expect(result).toMatchObject({ isError: true, code: 'SIGNAL_REFUSED' })
    expect(joinBlocks(result.content)).toMatch(/close/i)
    expect(await outputOf(sessionId, 'echo alive')).toBe('alive\n')
  })
})

describe('two agents', () => {
  it('working at once never meet each other’s directory, and a foreign id is unknown (B067)', async () => {
    const other = await house.root.agents.create({ cwd: house.cwd })
    const mine = await house.open()
    const opened = await house.root.tools.execute({ agent: other, name: 'terminal_open', args: { type: 'shell' } })
    const theirs = String(opened.result.structured?.sessionId)
    const work = async (agent: typeof other, sessionId: string, directory: string) => {
      for (let round = 0; round < 25; round++) {
        const text = `mkdir -p ${directory}${round} && cd ${directory}${round} && pwd && cd ..`
        const { result } = await house.root.tools.execute({ agent, name: 'terminal_send', args: { sessionId, text } })
        expect(result.structured?.text).toBe(`${house.cwd}/${directory}${round}\n`)
      }
    }
    await Promise.all([work(house.agent, mine, 'mine'), work(other, theirs, 'theirs')])
    for (const name of ['terminal_close', 'terminal_read']) {
      expect((await house.call(name, { sessionId: theirs })).result.code).toBe('UNKNOWN_SESSION')
    }
    await other.dispose()
  })
})

describe('an ended terminal', () => {
  it('keeps output and code (B068)', async () => {
    const sessionId = await house.open()
    await send(sessionId, 'echo kept; exit 5')
    expect(await house.text('terminal_read', { sessionId })).toMatch(/^kept$/m)
    expect(await house.text('terminal_list', {})).toContain('exit 5')
  })
})
