import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import type { ToolProgress } from '@agent-terminals/tools/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { textOf } from './house.js'
import { buildRealHouse, type RealHouse } from './real-house.js'
import { createTranscript } from './transcript.js'

useBaseline()

let house: RealHouse
beforeEach(async () => {
  house = await buildRealHouse()
})
afterEach(() => house.dispose())

/** Output of one send, without the facts below it. */
const outputOf = async (args: Record<string, unknown>) =>
  (await house.call('terminal_send', args)).result.structured?.text

const waitForCommandEnd = () =>
  new Promise<void>((resolve) => {
    house.root.on('terminal/event', (_id, { type }) => type === 'command-finished' && resolve())
  })

describe('a model at a real shell', () => {
  it('reads this in one full session', async () => {
    const fixed = new Map([[house.cwd, '/work']])
    const transcript = createTranscript(fixed)
    const call = async (name: string, args: Record<string, unknown>) => {
      const executed = await house.call(name, args)
      transcript.add(name, args, executed)
      return executed.result
    }
    const { structured } = await call('terminal_open', { type: 'shell', name: 'main' })
    const sessionId = String(structured?.sessionId)
    fixed.set(sessionId, 'term-1')
    const send = (text: string, more: Record<string, unknown> = {}) =>
      call('terminal_send', { sessionId, text, ...more })

    await send('mkdir -p lib && cd lib && export GREETING=hello')
    await send('echo "$GREETING from $(basename "$PWD")"')
    await send('ls nowhere')
    await send('python3 -q')
    await send('6 * 7')
    await send('exit()')
    await send("read -p 'name? ' name")
    await send('Ada')
    await send('for i in 1 2 3; do\n  echo "$i $name"\ndone')
    await send("read -s -p 'password: ' secret")
    await send('\u0004', { submit: false })
    await send('echo "unfinished')
    await send('finished"')
    await send('echo part; sleep 30', { timeoutMs: 300 })
    await call('terminal_send', { sessionId, text: 'echo too early', timeoutMs: 100_000_000 })
    const interrupted = waitForCommandEnd()
    await call('terminal_signal', { sessionId, signal: 'SIGINT' })
    await interrupted
    await send('', { submit: false })
    await send('sleep 0.2; echo "built in $(basename "$PWD")"', { run_in_background: true })
    await call('job_output', { jobId: 'terminal-1', wait: true })
    await send('echo up; sleep 60', { run_in_background: true })
    await waitUntil('the job is up', async () => /^up$/m.test(await house.text('terminal_read', { sessionId })))
    await call('job_kill', { jobId: 'terminal-2' })
    await call('job_output', { jobId: 'terminal-2' })
    await call('terminal_read', { sessionId, lines: 3, offset: 1 })
    await call('terminal_list', {})
    await call('terminal_read', { sessionId: 'term-nobody' })
    await send('exit 3')
    await send('echo hi')
    await call('terminal_close', { sessionId })
    await call('terminal_list', {})
    await expect(transcript.render()).toMatchFileSnapshot('__snapshots__/session.txt.snap')
  })

  it('gets output of the program only, never its own echo (B016)', async () => {
    const sessionId = await house.open()
    expect(await house.text('terminal_send', { sessionId, text: 'sleep 0.3; echo done-$((1+1))' })).toBe('done-2\n')
  })

  it('hears how a command ended that it did not wait for', async () => {
    const sessionId = await house.open()
    await house.call('terminal_send', { sessionId, text: 'mkfifo gate; cat gate; echo through; false', timeoutMs: 300 })
    const ended = waitForCommandEnd()
    writeFileSync(join(house.cwd, 'gate'), '')
    await ended
    const executed = await house.call('terminal_send', { sessionId, text: '', submit: false })
    expect(textOf(executed)).toMatch(
      /^\[since the last send: exit 1( after .*)?; 1 line of output, terminal_read shows it\]$/,
    )
    expect(executed.result.structured?.unseen).toMatchObject({ lines: 1, exitCode: 1 })
  })

  it('gets words in angle brackets byte for byte (B026)', async () => {
    const sessionId = await house.open()
    expect(await house.text('terminal_send', { sessionId, text: `printf '%s\\n' '<name>' '&amp;'` })).toBe(
      '<name>\n&amp;\n',
    )
  })

  it('gets no escape sequences of a target (B101)', async () => {
    const sessionId = await house.open()
    const text = String.raw`printf '\033]0;x\007\033[2J\033P+q\033\\hi\n'`
    const { result } = await house.call('terminal_send', { sessionId, text })
    expect(result.content).toEqual([{ type: 'text', text: 'hi\n' }])
  })

  it('reaches a raw reader byte for byte with 25 awkward texts (B076)', async () => {
    const sessionId = await house.open()
    const reader = [
      'import os, sys, tty',
      'tty.setraw(0)',
      'for size in map(int, sys.argv[1:]):',
      '    got = b""',
      '    while len(got) < size: got += os.read(0, size - len(got))',
      '    print(got.hex(), end="\\r\\n", flush=True)',
      'os.system("stty sane")',
    ].join('\n')
    const payloads = [
      ';',
      'a;',
      "it's",
      '"',
      '\\',
      '\\n',
      '$HOME',
      '$(id)',
      '`id`',
      '\t',
      'a\tb',
      '🐚',
      'é',
      '漢字',
      '-n',
      '--help',
      'Enter',
      'C-c',
      'Escape',
      '~',
      '!!',
      '*',
      '#x',
      '  lead and trail  ',
      '%s%d',
    ]
    await house.call('terminal_send', { sessionId, text: `cat > reader.py <<'END'\n${reader}\nEND` })
    const sizes = payloads.map((payload) => Buffer.byteLength(payload)).join(' ')
    await house.call('terminal_send', { sessionId, text: `python3 reader.py ${sizes}` })
    for (const text of payloads) {
      const { result } = await house.call('terminal_send', { sessionId, text, submit: false })
      expect(result.structured?.text, JSON.stringify(text)).toBe(`${Buffer.from(text).toString('hex')}\n`)
    }
  })

  it('keeps partial output of a call that was stopped by hand, and goes on (B050)', async () => {
    const sessionId = await house.open()
    const controller = new AbortController()
    const reason = new Error('stopped by the user')
    const seen: ToolProgress[] = []
    const calling = house.call(
      'terminal_send',
      { sessionId, text: 'echo a; sleep 60' },
      {
        signal: controller.signal,
        onProgress: (progress) => {
          seen.push(progress)
          if (
            seen
              .map(({ text }) => text)
              .join('')
              .includes('a\r\n')
          )
            controller.abort(reason)
        },
      },
    )
    await expect(calling).rejects.toBe(reason)
    expect(await house.text('terminal_read', { sessionId })).toMatch(/^a$/m)
    expect(await outputOf({ sessionId, text: 'echo next' })).toBe('next\n')
  })

  it('collects a background send while it runs, then how it ended', async () => {
    const sessionId = await house.open()
    const text = 'echo one; mkfifo gate; read < gate; echo two; (exit 3)'
    await house.call('terminal_send', { sessionId, text, run_in_background: true })
    const other = await house.open()
    let seen = ''
    await waitUntil('the first line has come', async () => {
      seen += await house.text('job_output', { jobId: 'terminal-1' })
      return seen.includes('one\n')
    })
    expect(seen).toContain('[job terminal-1: running]')
    await house.call('terminal_send', { sessionId: other, text: 'echo > gate' })
    const rest = await house.text('job_output', { jobId: 'terminal-1', wait: true })
    expect(rest).toMatch(/^two\n\[exit 3\]\n(?:.*\n)*\[job terminal-1: failed\]$/)
  })

  it('hears that a background send waits for input, answers it, and gets its end (B065)', async () => {
    const sessionId = await house.open()
    const text = `read -p 'name? ' x; echo "hello $x"`
    await house.call('terminal_send', { sessionId, text, run_in_background: true })
    const waiting = await house.text('job_output', { jobId: 'terminal-1', wait: true })
    expect(waiting).toBe(
      'name? \n[job terminal-1: running]\n[waiting: for a line of input; answer with terminal_send: name?]',
    )
    expect(await house.text('terminal_send', { sessionId, text: 'Ada' })).toBe('hello Ada\n')
    expect(await house.text('job_output', { jobId: 'terminal-1', wait: true })).toMatch(
      /\[exit 0\]\n\[job terminal-1: completed\]$/,
    )
  })

  it.each([
    ['a sleeping program', 'echo up; sleep 60'],
    [
      'a program that has switched the interrupt key off',
      `python3 -c 'import sys, tty, time; tty.setraw(0); print("up\\r", flush=True); time.sleep(60)'; stty sane`,
    ],
  ])('kills the job of %s with a real SIGINT, and the terminal goes on', async (_title, text) => {
    const sessionId = await house.open()
    await house.call('terminal_send', { sessionId, text, run_in_background: true })
    await waitUntil('the program is up', async () =>
      (await house.text('job_output', { jobId: 'terminal-1' })).includes('up'),
    )
    const ending = /\[killed; SIGINT was delivered to process group \d+\]\n\[job terminal-1: killed\]$/
    expect(await house.text('job_kill', { jobId: 'terminal-1' })).toMatch(ending)
    expect(await house.text('job_output', { jobId: 'terminal-1' })).toMatch(ending)
    await house.call('terminal_send', { sessionId, text: '' })
    expect(await outputOf({ sessionId, text: 'echo next' })).toBe('next\n')
  })

  it('finds no process left after the agent has ended with a job running', async () => {
    const sessionId = await house.open()
    await house.call('terminal_send', { sessionId, text: 'sleep 61', run_in_background: true })
    const [session] = house.root.terminals.list(house.agent)
    await house.agent.dispose()
    expect(session !== undefined && isAlive(session.pid)).toBe(false)
  })

  it('gets a coded error for a missing directory, and for one that is a file', async () => {
    const sessionId = await house.open()
    await house.call('terminal_send', { sessionId, text: 'touch file' })
    expect((await house.call('terminal_open', { type: 'shell', cwd: 'nowhere' })).result.code).toBe('CWD_MISSING')
    expect((await house.call('terminal_open', { type: 'shell', cwd: 'file' })).result.code).toBe('CWD_NOT_A_DIRECTORY')
  })
})
