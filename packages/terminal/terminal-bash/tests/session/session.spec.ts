import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackendSession, SendProgress } from '@agent-terminals/terminal'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BackendHarness, sendTo, startBackendHarness } from '../support/backend.js'

useBaseline()

describe('a session', () => {
  let harness: BackendHarness
  let session: BackendSession
  let directory: string
  beforeAll(async () => {
    harness = await startBackendHarness()
    directory = mkdtempSync(join(tmpdir(), 'session-'))
  })
  afterAll(async () => {
    await harness.close()
    rmSync(directory, { recursive: true })
  })
  beforeEach(async () => {
    harness.events.length = 0
    harness.log.length = 0
    session = await harness.open({ isDebug: true })
  })
  afterEach(async () => {
    await session.close()
  })

  describe('at its end', () => {
    it('reports the code after all output', async () => {
      const result = await sendTo(session, 'seq 1 20000; exit 42')
      expect(result).toMatchObject({
        waitReason: 'session_exit',
        state: 'ended',
        sessionStatus: { kind: 'exited', exitCode: 42 },
      })
      expect(result.viewport.text).toMatch(/\n20000\nexit\n$/)
      expect(session.describe().status).toEqual({ kind: 'exited', exitCode: 42 })
      expect(harness.events.at(-1)).toEqual({ type: 'exited', status: { kind: 'exited', exitCode: 42 } })
    })

    it('names the signal that ended the shell', async () => {
      const result = await sendTo(session, 'kill -KILL $$')
      expect(result.sessionStatus).toEqual({ kind: 'signalled', signal: 'SIGKILL' })
    })

    it('answers a send that comes too late with that end', async () => {
      await sendTo(session, 'exit 3')
      expect(await sendTo(session, 'echo late')).toMatchObject({
        waitReason: 'session_exit',
        sessionStatus: { kind: 'exited', exitCode: 3 },
      })
    })

    it('is clear about signals', async () => {
      await sendTo(session, 'exit')
      await expect(session.signal('SIGINT')).rejects.toMatchObject({ code: 'SESSION_ENDED' })
    })

    it('closes without anything to kill', async () => {
      await sendTo(session, 'exit')
      expect(await session.close()).toEqual({ killed: false })
    })

    it('keeps its output readable', async () => {
      await sendTo(session, 'echo kept; exit')
      expect(session.read({ lines: 10 }).text).toContain('kept')
    })
  })

  describe('signalled', () => {
    it('delivers to the foreground program, and the send settles at the prompt', async () => {
      const send = session.send({ text: 'sleep 60', submit: true })
      await waitUntil('sleep is in front', () => session.describe().foreground === 'sleep')
      expect((await session.signal('SIGINT')).targetPgid).not.toBe(session.pid)
      expect(await send.outcome).toMatchObject({ kind: 'settled', result: { state: 'prompt', exitCode: 130 } })
    })

    it('reports a stopped job, which can be resumed', async () => {
      const send = session.send({ text: 'sleep 60', submit: true })
      await waitUntil('sleep is in front', () => session.describe().foreground === 'sleep')
      await session.signal('SIGTSTP')
      expect(await send.outcome).toMatchObject({
        kind: 'settled',
        result: { waitReason: 'stdin_read', state: 'stopped' },
      })
      expect(await sendTo(session, 'fg', { timeoutMs: 300 })).toMatchObject({
        waitReason: 'timeout',
        foreground: 'sleep',
      })
      await session.signal('SIGTERM')
      expect(await sendTo(session, '', { submit: false })).toMatchObject({ state: 'prompt' })
    })

    it('refuses to kill the shell itself', async () => {
      await expect(session.signal('SIGKILL')).rejects.toMatchObject({ code: 'SIGNAL_REFUSED' })
    })
  })

  it('keeps the directory it knew when its shell tells none', async () => {
    const { cwd } = await sendTo(session, 'cd /usr')
    expect(cwd).toBe('/usr')
    expect(await sendTo(session, 'unset PWD')).toMatchObject({ state: 'prompt', exitCode: 0, cwd })
    expect(await sendTo(session, 'echo on')).toMatchObject({ viewport: { text: 'on\n' }, cwd })
  })

  describe('while it waits', () => {
    it('returns what there is at the timeout, and the rest with the next send', async () => {
      const first = await sendTo(session, 'echo part; sleep 1; echo rest', { timeoutMs: 300 })
      expect(first).toMatchObject({
        waitReason: 'timeout',
        state: 'busy',
        viewport: { text: 'part\n' },
        foreground: 'sleep',
      })
      expect(first.quietMs).toBeGreaterThan(0)
      const second = await sendTo(session, '', { submit: false })
      expect(second).toMatchObject({
        waitReason: 'stdin_read',
        state: 'prompt',
        viewport: { text: 'rest\n' },
        exitCode: 0,
      })
    })

    it('tells the state as it changes', async () => {
      const states: SendProgress['state'][] = []
      const result = await sendTo(session, 'sleep 0.2; read -p "name? " x', {
        onState: (each: SendProgress) => states.push(each.state),
      })
      expect(states[0]).toBe('busy')
      expect(result).toMatchObject({ state: 'line', viewport: { text: 'name? ' } })
    })

    it('bounds a wait for a line that is only redrawn, and says for how long it has been', async () => {
      await session.close()
      session = await harness.open({ config: { redrawPatienceMs: 600 } })
      const spinner = `python3 -c 'import sys, time
while True:
    for c in "|/-": sys.stdout.write("\\r" + c); sys.stdout.flush(); time.sleep(0.05)'`
      const result = await sendTo(session, spinner)
      expect(result).toMatchObject({ waitReason: 'timeout', state: 'busy' })
      expect(result.redrawingMs).toBeGreaterThanOrEqual(600)
    })

    it('passes raw output on as it comes, code points whole', async () => {
      let raw = ''
      const program = `python3 -c 'import os, time
os.write(1, b"\\xe2"); time.sleep(0.1); os.write(1, b"\\x80\\x94")'`
      const result = await sendTo(session, program, {
        onOutput: (text: string) => {
          raw += text
        },
      })
      expect(raw).toContain('—')
      expect(result.viewport.text).toBe('—')
    })
  })

  describe('given much input', () => {
    it('hands 50 KB to a reader in order', async () => {
      const lines = Array.from({ length: 1_000 }, (_, i) => `line ${i} ${'x'.repeat(40)}`)
      const file = join(directory, 'copy')
      await sendTo(session, `cat > ${file}`)
      await sendTo(session, lines.join('\n'))
      await sendTo(session, '\x04', { submit: false })
      expect(readFileSync(file, 'utf8')).toBe(`${lines.join('\n')}\n`)
    })

    it('runs pasted lines in order, each once, also when one of them asks', async () => {
      const first = await sendTo(session, 'echo one\nread x\necho got $x\necho two')
      expect(first).toMatchObject({ state: 'line', viewport: { text: 'one\n' } })
      expect(first.pendingInputBytes).toBeGreaterThan(0)
      expect(await sendTo(session, 'answer')).toMatchObject({
        state: 'prompt',
        viewport: { text: 'got answer\ntwo\n' },
      })
    })

    it.each([
      ['ends', 'exit 3', 'session_exit'],
      ['is replaced', 'exec sh', 'stdin_read'],
    ])('says which lines were not sent when the shell %s in between', async (_name, line, waitReason) => {
      const result = await sendTo(session, `echo one\n${line}\necho two\necho three`)
      expect(result.waitReason).toBe(waitReason)
      expect(result.notes.join()).toMatch(/2 lines of the input were not sent/)
      expect(result.pendingInputBytes).toBeUndefined()
    })

    it('reports what a program that does not read has not taken', async () => {
      await sendTo(session, `python3 -c 'import tty, time; tty.setraw(0); print("up", flush=True); time.sleep(60)'`, {
        timeoutMs: 500,
      })
      await waitUntil('the terminal is raw', () => /^up$/m.test(session.read({ lines: 5 }).text))
      const result = await sendTo(session, 'x'.repeat(1_000_000), { timeoutMs: 1_000 })
      expect(result.waitReason).toBe('timeout')
      expect(result.pendingInputBytes).toBeGreaterThan(900_000)
      const cancelled = session.send({ text: '', submit: false })
      await waitUntil('it waits', () => cancelled.progress().quietMs > 20)
      cancelled.cancel('enough')
      expect(await cancelled.outcome).toMatchObject({ kind: 'cancelled', interruption: { delivered: 'SIGINT' } })
      await sendTo(session, 'stty sane')
      expect((await sendTo(session, 'echo ok')).viewport.text).toBe('ok\n')
    })

    it('refuses a line that its reader could not receive, before anything is written', async () => {
      await sendTo(session, 'cat > /dev/null')
      const long = session.send({ text: 'x'.repeat(5_000), submit: true })
      expect(await long.outcome).toMatchObject({ kind: 'failed', error: { code: 'INPUT_TOO_LONG' } })
      await sendTo(session, '\x04', { submit: false })
      const shell = await sendTo(session, `echo ${'y'.repeat(10_000)}`)
      expect(shell.viewport.text).toBe(`${'y'.repeat(10_000)}\n`)
    })
  })

  it('keeps no trace of a secret', async () => {
    await sendTo(session, 'read -s -p "secret: " x')
    const result = await sendTo(session, 'hunter2hunter2')
    expect(result.state).toBe('prompt')
    const digest = await sendTo(session, 'printf %s "$x" | sha256sum')
    expect(digest.viewport.text).toContain(createHash('sha256').update('hunter2hunter2').digest('hex'))
    const everything = JSON.stringify([
      result,
      session.read({ lines: 1_000 }).text,
      harness.log,
      harness.events.map((event) => (event.type === 'data' ? Buffer.from(event.bytes).toString() : event)),
    ])
    expect(everything).not.toContain('hunter2')
  })

  it('explains a verdict by its facts when debugging', async () => {
    await sendTo(session, 'true')
    expect(harness.log.at(-1)).toMatch(/start .*\n(?:.*\n)*.*command-start.*\n(?:.*\n)*.*verdict stdin_read\/prompt$/)
  })

  it('answers terminal queries to a program that reads, once', async () => {
    const result = await sendTo(session, `printf '\\033[6n'; IFS=';' read -rsd R row column; echo got $column`)
    expect(result.viewport.text).toBe('got 1\n')
  })

  it('types no answer at the prompt for a query that nobody waits for', async () => {
    await sendTo(session, `printf '\\033[6n\\033[c'`)
    expect(await sendTo(session, 'echo clean')).toMatchObject({ viewport: { text: 'clean\n' }, exitCode: 0 })
  })

  it('says when the shell’s marks are lost, and goes on by evidence', async () => {
    const replaced = await sendTo(session, 'exec sh')
    expect(replaced).toMatchObject({ state: 'prompt', promptDetection: 'lost' })
    const result = await sendTo(session, 'sleep 0.3; echo still here')
    expect(result).toMatchObject({ waitReason: 'stdin_read', state: 'prompt', promptDetection: 'lost' })
    expect(result.viewport.text).toContain('still here\n')
  })

  it('is not misled by a mark that is left when the other hooks have been removed', async () => {
    await sendTo(session, 'unset PROMPT_COMMAND PS0; PS1="x> "')
    expect(await sendTo(session, 'cat <<EOF\nbody\nEOF')).toMatchObject({ state: 'prompt', promptDetection: 'lost' })
    const result = await sendTo(session, 'echo next')
    expect(result).toMatchObject({ waitReason: 'stdin_read', state: 'prompt', promptDetection: 'lost' })
    expect(result.viewport.text).toContain('next\n')
  })

  it('reports commands to observers by their lines', async () => {
    await sendTo(session, 'echo one\nfalse')
    const told = harness.events.filter(
      (event) => event.type === 'command-executed' || event.type === 'command-finished',
    )
    expect(told).toMatchObject([
      { type: 'command-executed', commandLine: 'echo one' },
      { type: 'command-finished', exitCode: 0 },
      { type: 'command-executed', commandLine: 'false' },
      { type: 'command-finished', exitCode: 1 },
    ])
  })

  it('shows prompts and echo when configured to', async () => {
    await session.close()
    session = await harness.open({ config: { echo: 'show' } })
    expect((await sendTo(session, 'echo hi')).viewport.text).toMatch(/echo hi\nhi\n\$ $/)
  })
})
