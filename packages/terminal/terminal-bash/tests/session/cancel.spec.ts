import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ShellHost, startShellHost, type Terminal } from '../support/shell-host.js'

useBaseline()

it('interrupts a command that the shell starts just after its own interrupt, without a grace first', async () => {
  const host = await startShellHost({ cancelGraceMs: 50_000 })
  const terminal = await host.open()
  for (let round = 0; round < 60; round++) {
    const send = terminal.start('sleep 600')
    // From before the write to after the start of the command.
    await new Promise((resolve) => setTimeout(resolve, round % 10))
    send.cancel('too soon')
    expect(await send.outcome).toMatchObject({ kind: 'cancelled' })
  }
  expect((await terminal.send('echo us""able')).viewport.text).toBe('usable\n')
  await terminal.close()
  await host.close()
})

it('lets the INT trap of a shell that was at work itself come to its end', async () => {
  const host = await startShellHost({ cancelGraceMs: 50_000 })
  const terminal = await host.open()
  await terminal.send(`trap 'sleep 0.5; echo clean""ed; stop=1' INT`)
  let seen = ''
  const send = terminal.start(
    'end=$((SECONDS+2)); while ((SECONDS<end)); do :; done; echo wor""king; until [[ $stop ]]; do :; done',
    {
      onOutput: (output) => {
        seen += output
        if (seen.includes('working')) send.cancel('enough')
      },
    },
  )
  expect(await send.outcome).toMatchObject({ kind: 'cancelled', interruption: { delivered: 'SIGINT' } })
  expect(seen).toContain('cleaned')
  await terminal.close()
  await host.close()
})

describe('cancelling a send', () => {
  let host: ShellHost
  let terminal: Terminal
  let directory: string
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'cancel-'))
    host = await startShellHost({ cancelGraceMs: 400 })
  })
  afterAll(async () => {
    await host.close()
    rmSync(directory, { recursive: true })
  })
  beforeEach(async () => {
    terminal = await host.open()
  })
  afterEach(() => terminal.close())

  /** Cancel once the program has printed `token`. */
  const cancelAfter = async (text: string, token: string) => {
    const reason = new Error('changed my mind')
    let seen = ''
    const send = terminal.start(text, {
      onOutput: (output) => {
        seen += output
        // A line of its own is not the echo of the input.
        if (new RegExp(`(?:^|[\\r\\n])${token}\\r*\\n`).test(seen)) setImmediate(() => send.cancel(reason))
      },
    })
    return { outcome: await send.outcome, reason }
  }

  const expectUsable = async () => {
    const result = await terminal.send('echo us""able')
    expect(result.viewport.text).toBe('usable\n')
    expect(result).toMatchObject({ waitReason: 'stdin_read', state: 'prompt', exitCode: 0 })
  }

  it('writes nothing when it comes before the write', async () => {
    const reason = { my: 'reason' }
    const signal = AbortSignal.abort(reason)
    const outcome = await terminal.outcome(`touch ${directory}/early`, { signal })
    expect(outcome).toMatchObject({ kind: 'cancelled', interruption: { delivered: 'none' } })
    expect(outcome.kind === 'cancelled' && outcome.reason).toBe(reason)
    await expectUsable()
    expect(existsSync(join(directory, 'early'))).toBe(false)
  })

  it('writes nothing when it comes while the input is being planned', async () => {
    const send = terminal.start(`touch ${directory}/planned`)
    send.cancel('no')
    expect(await send.outcome).toMatchObject({ kind: 'cancelled', reason: 'no', interruption: { delivered: 'none' } })
    await expectUsable()
    expect(existsSync(join(directory, 'planned'))).toBe(false)
  })

  it('interrupts the foreground program, keeps its output and the caller’s own reason', async () => {
    const { outcome, reason } = await cancelAfter('echo a; sleep 60', 'a')
    expect(outcome).toMatchObject({ kind: 'cancelled', reason, interruption: { delivered: 'SIGINT' } })
    expect(outcome.kind === 'cancelled' && outcome.viewport.text).toMatch(/^a\n/)
    await expectUsable()
  })

  it('does not run the rest of a pasted list of commands', async () => {
    await cancelAfter(`echo go\nsleep 60\ntouch ${directory}/ghost`, 'go')
    await expectUsable()
    expect(existsSync(join(directory, 'ghost'))).toBe(false)
  })

  it('does not run commands that were typed ahead of a running one', async () => {
    const { outcome } = await cancelAfter(`echo go; sleep 60`, 'go')
    expect(outcome.kind).toBe('cancelled')
    // Typed as keys, so that the line editor takes one line and the kernel keeps the others.
    let seen = ''
    const reason = 'stop'
    const send = terminal.start(`echo go; sleep 60\rtouch ${directory}/ahead1\rtouch ${directory}/ahead2\r`, {
      submit: false,
      onOutput: (output) => {
        seen += output
        if (/(?:^|[\r\n])go\r*\n/.test(seen)) setImmediate(() => send.cancel(reason))
      },
    })
    expect(await send.outcome).toMatchObject({ kind: 'cancelled', reason })
    await expectUsable()
    expect(existsSync(join(directory, 'ahead1'))).toBe(false)
    expect(existsSync(join(directory, 'ahead2'))).toBe(false)
  })

  it('does not hand the unread input of a killed reader to the shell', async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `touch ${directory}/line${i}`).join('\n')
    await terminal.send(`python3 -c 'import time; print("up", flush=True); time.sleep(60)'`, { timeoutMs: 300 })
    const send = terminal.start(lines)
    await waitUntil('input waits in the kernel', () => send.progress().quietMs > 50)
    send.cancel('enough')
    expect((await send.outcome).kind).toBe('cancelled')
    await expectUsable()
    expect(existsSync(join(directory, 'line0'))).toBe(false)
    expect(existsSync(join(directory, 'line399'))).toBe(false)
  })

  it('leaves no partial line of a killed reader at the prompt', async () => {
    await terminal.send('cat')
    const send = terminal.start('half a line', { submit: false, onOutput: () => send.cancel('no') })
    expect(await send.outcome).toMatchObject({ kind: 'cancelled', interruption: { delivered: 'SIGINT' } })
    await expectUsable()
  })

  it('clears what has been typed into the line editor', async () => {
    await terminal.send('echo never', { submit: false })
    const send = terminal.start(' mind', { submit: false })
    terminal.onEvent = () => send.cancel('no')
    expect(await send.outcome).toMatchObject({ kind: 'cancelled', interruption: { delivered: 'SIGINT' } })
    terminal.onEvent = undefined
    await expectUsable()
  })

  it('lets a REPL live that takes the interrupt', async () => {
    await terminal.send('python3 -q')
    const { outcome } = await cancelAfter('print("go", flush=True); import time; time.sleep(60)', 'go')
    expect(outcome).toMatchObject({ kind: 'cancelled', interruption: { delivered: 'SIGINT' } })
    const result = await terminal.send('print(6 * 7)')
    expect(result.viewport.text).toBe('42\n>>> ')
    await terminal.send('exit()')
    await expectUsable()
  })

  it('delivers a real SIGINT to a program in raw mode', async () => {
    const program = `import sys, tty, time
tty.setraw(0)
try:
    print("\\r\\ngo\\r", flush=True)
    while True: sys.stdin.read(1)
except KeyboardInterrupt: print("interrupted", flush=True)`
    const { outcome } = await cancelAfter(`python3 -c '${program}'; stty sane`, 'go')
    expect(outcome).toMatchObject({ kind: 'cancelled', interruption: { delivered: 'SIGINT' } })
    expect(outcome.kind === 'cancelled' && outcome.viewport.text).toContain('interrupted')
    await terminal.send('stty sane')
    await expectUsable()
  })

  it('climbs to SIGTERM for a program that ignores SIGINT', async () => {
    const { outcome } = await cancelAfter(`(trap '' INT; echo go; exec sleep 60)`, 'go')
    expect(outcome).toMatchObject({ kind: 'cancelled', interruption: { delivered: 'SIGTERM' } })
    await expectUsable()
  })

  it('climbs to SIGKILL for a program that ignores both', async () => {
    const { outcome } = await cancelAfter(`(trap '' INT TERM; echo go; exec sleep 60)`, 'go')
    expect(outcome).toMatchObject({ kind: 'cancelled', interruption: { delivered: 'SIGKILL' } })
    await expectUsable()
  })

  it('interrupts a loop of builtins without harming the shell', async () => {
    const { outcome } = await cancelAfter('echo go; while :; do :; done', 'go')
    expect(outcome).toMatchObject({ kind: 'cancelled', interruption: { delivered: 'SIGINT' } })
    await expectUsable()
  })

  it('interrupts a builtin that waits for input', async () => {
    const { outcome } = await cancelAfter('echo go; read answer', 'go')
    expect(outcome.kind).toBe('cancelled')
    await expectUsable()
  })

  it('ends a stopped foreground program', async () => {
    const file = join(directory, 'pid')
    const command = `sh -c 'sleep 60 & echo $! > ${file}; echo go; wait'`
    const reason = 'stop'
    const send = terminal.start(command)
    await waitUntil('the program runs', () => existsSync(file) && readFileSync(file, 'utf8').trim() !== '')
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGSTOP')
    const outcome = await send.outcome
    expect(outcome).toMatchObject({ kind: 'settled', result: { state: 'stopped' } })
    const wait = terminal.start('', { submit: false, onState: () => wait.cancel(reason) })
    expect((await wait.outcome).kind).toMatch(/cancelled|settled/)
    await terminal.outcome('', { submit: false, signal: AbortSignal.timeout(50) })
    await expectUsable()
  })
})
