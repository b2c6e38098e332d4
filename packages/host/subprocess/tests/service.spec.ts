import { readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureBaseline, isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SubprocessTerminal } from '../src/contract.js'
import { collectOutput, createSpec, type OpenedSubprocess, openSubprocess } from './open-subprocess.js'

useBaseline()

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'subprocess-'))
})
afterAll(() => rm(directory, { recursive: true }))

let opened: OpenedSubprocess
beforeEach(async () => {
  opened = await openSubprocess()
})
afterEach(() => opened.dispose())

const spawn = (...argv: [string, ...string[]]) => opened.service.spawnTerminal(createSpec(argv))

/** Run a program to its end and return what it printed. */
async function print(...argv: [string, ...string[]]): Promise<string> {
  const terminal = await spawn(...argv)
  const output = collectOutput(terminal)
  await terminal.exited
  return output.text()
}

describe('spawnTerminal', () => {
  it('runs a program on a terminal and reports how it ended', async () => {
    const argv = ['/bin/bash', '-c', 'tty; echo "$TERM $PWD"; pwd; stty size; exit 3'] as const
    const terminal = await opened.service.spawnTerminal(
      createSpec(argv, { cwd: '/usr', size: { columns: 91, rows: 17 }, terminalType: 'xterm' }),
    )
    const output = collectOutput(terminal)
    expect(terminal.exit).toBeUndefined()
    expect(await terminal.exited).toEqual({ kind: 'code', code: 3 })
    expect(terminal.exit).toEqual({ kind: 'code', code: 3 })
    expect(output.text()).toBe(`${terminal.ttyPath}\r\nxterm /usr\r\n/usr\r\n17 91\r\n`)
  })

  it('gives the program the scrubbed environment, the request’s variables and the clean-up tags', async () => {
    process.env.TEST_API_KEY = 'host secret'
    process.env.TEST_GIVEN = 'host'
    process.env.TEST_UNWANTED = 'host'
    try {
      const env = { TEST_GIVEN: 'asked', TEST_UNWANTED: undefined, OTHER_TOKEN: 'asked' }
      const terminal = await opened.service.spawnTerminal(createSpec(['/usr/bin/env'], { env }))
      const output = collectOutput(terminal)
      await terminal.exited
      expect(output.text()).not.toContain('host secret')
      expect(output.text()).not.toContain('TEST_UNWANTED')
      expect(output.text()).toContain('TEST_GIVEN=asked')
      expect(output.text()).toContain('OTHER_TOKEN=asked')
      expect(output.text()).toMatch(/^AGENT_TERMINALS_TAG=[0-9a-f]{32}\r$/m)
      expect(output.text()).toMatch(/^AGENT_TERMINALS_HOST=[0-9a-f]{32}_\d+_\d*_\d*\r$/m)
    } finally {
      for (const name of ['TEST_API_KEY', 'TEST_GIVEN', 'TEST_UNWANTED']) delete process.env[name]
    }
  })

  it('gives every terminal a tag of its own and all the same host', async () => {
    const texts = [await print('/usr/bin/env'), await print('/usr/bin/env')]
    const find = (name: string) => texts.map((text) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1])
    expect(new Set(find('AGENT_TERMINALS_TAG')).size).toBe(2)
    expect(new Set(find('AGENT_TERMINALS_HOST')).size).toBe(1)
  })

  it('passes arguments on without a shell', async () => {
    expect(await print('/usr/bin/printf', '%s|', '$HOME', '*', "it's", '')).toBe("$HOME|*|it's||")
  })

  it.each([
    ['an absent directory', '/absent/place', 'CWD_MISSING', '/absent/place'],
    ['a relative directory', 'place', 'CWD_MISSING', 'absolute path, got place'],
    ['no directory', '', 'CWD_MISSING', "absolute path, got ''"],
    ['a file as directory', '/etc/passwd', 'CWD_NOT_A_DIRECTORY', '/etc/passwd'],
  ])('refuses %s by name', async (_, cwd, code, text) => {
    const failure = opened.service.spawnTerminal(createSpec(['/bin/cat'], { cwd }))
    await expect(failure).rejects.toMatchObject({ code })
    await expect(failure).rejects.toThrow(`working directory`)
    await expect(failure).rejects.toThrow(text)
  })

  it.each([
    ['an absent program', '/absent/shell', '/absent/shell does not exist'],
    ['a bare name', 'cat', 'absolute path, got cat'],
    ['no program', '', "absolute path, got ''"],
    ['a directory', '/usr', '/usr is not a file'],
    ['a file without x bit', '/etc/passwd', '/etc/passwd is not executable'],
  ])('refuses %s by name', async (_, file, text) => {
    const failure = spawn(file)
    await expect(failure).rejects.toMatchObject({ code: 'EXECUTABLE_MISSING' })
    await expect(failure).rejects.toThrow(text)
  })

  it('refuses a script whose interpreter is missing', async () => {
    const script = join(directory, 'script')
    await writeFile(script, '#! /absent/interpreter -x\n', { mode: 0o755 })
    const failure = spawn(script)
    await expect(failure).rejects.toMatchObject({ code: 'EXECUTABLE_MISSING' })
    await expect(failure).rejects.toThrow(`The interpreter of ${script}: /absent/interpreter does not exist`)
  })

  it.each([0, -1, 1.5, 65_536, Number.NaN])('refuses %d columns', async (columns) => {
    const failure = opened.service.spawnTerminal(createSpec(['/bin/cat'], { size: { columns, rows: 24 } }))
    await expect(failure).rejects.toThrow('columns must be a whole number from 1 to 65535')
  })

  it('refuses NUL characters', async () => {
    await expect(spawn('/bin/echo', 'a\0b')).rejects.toThrow('NUL')
  })

  it.each(['before', 'while checking'])('rejects with the caller’s own reason when aborted %s', async (when) => {
    const abort = new AbortController()
    const reason = { why: 'changed my mind' }
    if (when === 'before') abort.abort(reason)
    const failure = opened.service.spawnTerminal(createSpec(['/bin/cat'], { signal: abort.signal }))
    abort.abort(reason)
    await expect(failure).rejects.toBe(reason)
  })

  it('leaves no descriptor behind when it refuses', async () => {
    const before = readdirSync('/proc/self/fd').length
    for (let round = 0; round < 50; round++) {
      await spawn('/absent').catch(() => undefined)
      await opened.service.spawnTerminal(createSpec(['/bin/cat'], { cwd: '/absent' })).catch(() => undefined)
    }
    // The runner's own descriptors come and go; a leak would add one or more per round.
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 25)
  })
})

describe('a terminal', () => {
  it('passes lines on and answers', async () => {
    const terminal = await spawn('/bin/cat')
    const output = collectOutput(terminal)
    await terminal.write('hello\r')
    await output.waitForText('hello\r\nhello\r\n')
    await terminal.terminate({ graceMs: 1_000 })
  })

  it('tells its size to the program when it changes', async () => {
    const terminal = await spawn('/bin/bash', '-c', 'trap "stty size" WINCH; echo ready; while :; do read -t 1; done')
    const output = collectOutput(terminal)
    await output.waitForText('ready')
    terminal.resize({ columns: 33, rows: 44 })
    await output.waitForText('44 33')
    expect(() => terminal.resize({ columns: 80, rows: 0 })).toThrow('rows must be')
    await terminal.terminate({ graceMs: 1_000 })
  })

  it('reads its attributes when asked', async () => {
    const terminal = await spawn('/bin/bash', '-c', 'echo one; read -rs line; stty raw; echo two; read line')
    const output = collectOutput(terminal)
    await output.waitForText('one')
    await waitUntil('echo is off', async () => (await terminal.attributes())?.echo === false)
    expect(await terminal.attributes()).toEqual({ echo: false, canonical: true, signals: true })
    await terminal.write('secret\r')
    await output.waitForText('two')
    await waitUntil('raw', async () => (await terminal.attributes())?.canonical === false)
    expect(await terminal.attributes()).toMatchObject({ canonical: false, signals: false })
    await terminal.terminate({ graceMs: 1_000 })
    expect(await terminal.attributes()).toBeUndefined()
  })

  it('reads the working directory of its program', async () => {
    const terminal = await spawn('/bin/bash', '-c', 'cd /usr/lib; echo there; read line')
    await collectOutput(terminal).waitForText('there')
    expect(await terminal.workingDirectory()).toBe('/usr/lib')
    await terminal.terminate({ graceMs: 1_000 })
    expect(await terminal.workingDirectory()).toBeUndefined()
  })

  it('does not name a directory that was removed', async () => {
    const gone = join(directory, 'gone')
    const terminal = await spawn('/bin/bash', '-c', `mkdir ${gone}; cd ${gone}; rmdir ${gone}; echo there; read line`)
    await collectOutput(terminal).waitForText('there')
    expect(await terminal.workingDirectory()).toBeUndefined()
    await terminal.terminate({ graceMs: 1_000 })
  })

  it('knows the group that holds it and signals it', async () => {
    const terminal = await spawn('/bin/bash', '--norc', '-i')
    const output = collectOutput(terminal)
    await terminal.write('sleep 600\r')
    await waitUntil('sleep holds the terminal', async () =>
      Boolean((await terminal.inspect())?.members.some((member) => member.command === 'sleep')),
    )
    const look = await terminal.inspect()
    expect(await terminal.foregroundGroup()).toBe(look?.pgid)
    expect(await terminal.signalForeground('SIGINT')).toEqual({ pgid: look?.pgid })
    await terminal.write('echo "status:$?"\r')
    await output.waitForText(/\nstatus:130/)
    await terminal.terminate({ graceMs: 1_000 })
  })

  it('refuses to kill its own program by signal', async () => {
    const terminal = await spawn('/bin/cat')
    await waitUntil('cat holds the terminal', async () => (await terminal.foregroundGroup()) === terminal.pid)
    await expect(terminal.signalForeground('SIGKILL')).rejects.toMatchObject({ code: 'SHELL_KILL' })
    await terminal.terminate({ graceMs: 1_000 })
  })

  it('answers plainly once it has ended', async () => {
    const terminal = await spawn('/bin/false')
    collectOutput(terminal)
    await terminal.exited
    await expect(terminal.write('x')).rejects.toMatchObject({ code: 'EXITED' })
    await expect(terminal.write('x')).rejects.toThrow('ended with code 1')
    await expect(terminal.signalForeground('SIGINT')).rejects.toMatchObject({ code: 'EXITED' })
    expect(await terminal.foregroundGroup()).toBeUndefined()
    expect(await terminal.inspect()).toBeUndefined()
    expect(terminal.pendingInputBytes).toBe(0)
    terminal.resize({ columns: 10, rows: 10 })
    terminal.pause()
    terminal.resume()
  })

  it('fails input that waits when its program ends', async () => {
    const terminal = await spawn('/bin/bash', '-c', 'stty raw -echo; echo ready; exec sleep 600')
    await collectOutput(terminal).waitForText('ready')
    const write = terminal.write(Buffer.alloc(1_000_000, 'x'))
    const failure = expect(write).rejects.toThrow('ended by SIGHUP')
    await terminal.terminate({ graceMs: 1_000 })
    await failure
  })

  it('delivers the rest before the exit also while paused', async () => {
    const terminal = await spawn('/usr/bin/printf', 'the end')
    const output = collectOutput(terminal)
    terminal.pause()
    await terminal.exited
    expect(output.text()).toBe('the end')
  })

  it('keeps output for a listener that comes after the exit', async () => {
    const terminal = await spawn('/usr/bin/printf', 'the end')
    await terminal.exited
    const output = collectOutput(terminal)
    await output.waitForText('the end')
  })

  it('holds the program back while nobody listens', async () => {
    await opened.dispose()
    opened = await openSubprocess({ maxHeldOutputBytes: 65_536 })
    const terminal = await spawn('/usr/bin/seq', '1', '300000')
    await waitUntil('the program waits for room', async () => {
      const look = await terminal.inspect()
      return look?.members[0]?.state === 'sleeping'
    })
    expect(terminal.exit).toBeUndefined()
    const output = collectOutput(terminal)
    await output.waitForText('\r\n300000\r\n')
    expect(output.text().split('\r\n').length).toBe(300_001)
    await terminal.exited
  })

  it('survives a listener that throws and reports it', async () => {
    const messages: unknown[] = []
    opened.ctx.logger.exporter({ export: (message) => messages.push(...message.args) })
    const terminal = await spawn('/bin/bash', '-c', 'echo one; read line; exit 2')
    terminal.onOutput(() => {
      throw new Error('listener broke')
    })
    await waitUntil('the error is reported', () => messages.length > 0)
    await terminal.write('\r')
    expect(await terminal.exited).toEqual({ kind: 'code', code: 2 })
    expect(messages.map(String)).toContain('Error: listener broke')
  })
})

describe('input', () => {
  /** A raw reader that counts to `bytes` and prints a digest of what came. */
  const digest = (bytes: number, delayS: number) => `
import hashlib, os, sys, time, tty
tty.setraw(0)
print("ready", end="", flush=True)
time.sleep(${delayS})
seen = b""
while len(seen) < ${bytes}: seen += os.read(0, 65536)
print(hashlib.sha256(seen).hexdigest(), end="", flush=True)
`

  it('arrives exactly and in order when two big writes follow each other', async () => {
    const { createHash } = await import('node:crypto')
    const parts = [Buffer.alloc(600_000), Buffer.alloc(500_000)]
    for (const part of parts) for (let index = 0; index < part.length; index++) part[index] = (index * 7) % 251
    const terminal = await spawn('/usr/bin/python3', '-c', digest(1_100_000, 0.3))
    const output = collectOutput(terminal)
    await output.waitForText('ready')
    const order: number[] = []
    await Promise.all(parts.map((part, index) => terminal.write(part).then(() => order.push(index))))
    expect(order).toEqual([0, 1])
    await output.waitForText(createHash('sha256').update(Buffer.concat(parts)).digest('hex'))
    await terminal.exited
  })

  it('waits for a program that does not read, says how much, and can be given up', async () => {
    const terminal = await spawn('/usr/bin/python3', '-c', digest(70_000, 600))
    await collectOutput(terminal).waitForText('ready')
    const abort = new AbortController()
    const write = terminal.write(Buffer.alloc(1_000_000), abort.signal)
    expect(terminal.pendingInputBytes).toBeGreaterThan(800_000)
    expect(terminal.pendingInputBytes).toBeLessThan(1_000_000)
    abort.abort('given up')
    await expect(write).rejects.toBe('given up')
    expect(terminal.pendingInputBytes).toBe(0)
    await terminal.terminate({ graceMs: 1_000 })
  })

  it('reaches bash unharmed when 50 KB are pasted at its prompt', async () => {
    const terminal = await spawn('/bin/bash', '--norc', '-i')
    const output = collectOutput(terminal)
    await terminal.write('PS1="ready> "\r')
    await output.waitForText(/\nready> /)
    const word = 'x'.repeat(50_000)
    await terminal.write(`v=${word}\recho "length:$(printf %s "$v" | wc -c)"\r`)
    await output.waitForText(/\nlength:50000/)
    await terminal.terminate({ graceMs: 1_000 })
  })
})

describe('disposal', () => {
  it('ends every terminal with what it started and refuses new ones', async () => {
    await opened.dispose()
    opened = await openSubprocess({ disposeGraceMs: 200 })
    const { service } = opened
    const terminals: SubprocessTerminal[] = []
    for (const argv of [
      ['/bin/cat'],
      ['/bin/bash', '-c', 'trap "" TERM HUP INT; while :; do sleep 1; done'],
      ['/bin/bash', '-c', 'setsid sleep 6181 & exec sleep 6182'],
    ] as const) {
      const terminal = await service.spawnTerminal(createSpec(argv))
      collectOutput(terminal)
      terminals.push(terminal)
    }
    await opened.dispose()
    for (const terminal of terminals) {
      expect(terminal.exit).toBeDefined()
      expect(isAlive(terminal.pid)).toBe(false)
    }
    await expect(service.spawnTerminal(createSpec(['/bin/cat']))).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(opened.ctx.get('subprocess')).toBeUndefined()
  })

  it('refuses a terminal that is being checked when it begins', async () => {
    const failure = expect(spawn('/bin/cat')).rejects.toMatchObject({ code: 'DISPOSED' })
    await opened.dispose()
    await failure
  })
})

it('keeps descriptors flat over 60 rounds, half by exit and half by termination', async () => {
  const run = async (round: number) => {
    const terminal = await spawn('/bin/bash', '-c', round % 2 ? 'read line' : 'exit 0')
    collectOutput(terminal)
    if (round % 2 === 0) await terminal.exited
    await terminal.terminate({ graceMs: 1_000 })
  }
  await run(0)
  const before = readdirSync('/proc/self/fd').length
  for (let round = 0; round < 60; round++) await run(round)
  expect(captureBaseline().terminals).toBe(0)
  expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 25)
})
