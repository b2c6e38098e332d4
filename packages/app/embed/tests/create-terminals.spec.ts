import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { createTerminals, EmbedError } from '../src/index.js'
import { useTerminals } from './support.js'

useBaseline()

const failureOf = async (call: () => unknown): Promise<Error & { readonly code?: string }> => {
  try {
    await call()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('the call did not fail')
}

describe('terminals', () => {
  const bench = useTerminals()
  it('keep their state from send to send, and say why each returned', async () => {
    mkdirSync(join(bench.root, 'lib'))
    const terminals = await bench.create()
    const { sessionId, status } = await terminals.open({ name: 'main' })
    expect(status).toEqual({ kind: 'running' })
    await terminals.send(sessionId, 'cd lib && export GREETING=hello')
    const result = await terminals.send(sessionId, 'echo "$GREETING"; (exit 3)')
    expect(result).toMatchObject({
      viewport: { text: 'hello\n' },
      waitReason: 'stdin_read',
      state: 'prompt',
      exitCode: 3,
      cwd: join(bench.root, 'lib'),
    })
    expect(terminals.list().map(({ name, cwd }) => ({ name, cwd }))).toEqual([
      { name: 'main', cwd: join(bench.root, 'lib') },
    ])
    expect(terminals.read(sessionId, { lines: 3 }).text).toContain('hello')
  })

  it('start in the workspace root, or in the directory that is given', async () => {
    mkdirSync(join(bench.root, 'other'), { recursive: true })
    const here = await bench.create()
    expect((await here.open()).cwd).toBe(bench.root)
    const there = await bench.create({ cwd: join(bench.root, 'other') })
    expect((await there.open()).cwd).toBe(join(bench.root, 'other'))
    expect((await there.open({ cwd: '..' })).cwd).toBe(bench.root)
  })

  it('take signals, and return the code of what was interrupted', async () => {
    const terminals = await bench.create()
    const { sessionId } = await terminals.open()
    const sending = terminals.send(sessionId, 'cat', { timeoutMs: 20_000 })
    expect((await sending).state).toBe('line')
    expect((await terminals.signal(sessionId, 'SIGINT')).delivered).toBe(true)
    const { state, exitCode, unseen } = await terminals.send(sessionId, '', { submit: false })
    // The program may end before the send that waits for it has begun.
    expect({ state, exitCode: exitCode ?? unseen?.exitCode }).toEqual({ state: 'prompt', exitCode: 130 })
  })

  it("reject a cancelled send with the caller's own reason, and go on", async () => {
    const terminals = await bench.create()
    const { sessionId } = await terminals.open()
    const controller = new AbortController()
    const reason = new Error('enough')
    const sending = terminals.send(sessionId, 'echo up; sleep 60', {
      signal: controller.signal,
      onText: (text) => {
        if (text.includes('up')) controller.abort(reason)
      },
    })
    await expect(sending).rejects.toBe(reason)
    expect((await terminals.send(sessionId, 'echo next')).viewport.text).toContain('next\n')
  })

  it('reject a second send at a time, and an unknown id, with codes', async () => {
    const terminals = await bench.create()
    const { sessionId } = await terminals.open()
    const first = terminals.send(sessionId, 'read -r line')
    expect((await failureOf(() => terminals.send(sessionId, 'x'))).code).toBe('SEND_ACTIVE')
    await first
    expect((await failureOf(() => terminals.send('nobody', 'x'))).code).toBe('UNKNOWN_SESSION')
    expect((await failureOf(() => terminals.resize('nobody', { columns: 80, rows: 24 }))).code).toBe('UNKNOWN_SESSION')
  })

  it('tell listeners of one kind of event, until released', async () => {
    const terminals = await bench.create()
    const finished: string[] = []
    const release = terminals.on('command-finished', ({ exitCode }, id) => finished.push(`${id} ${exitCode}`))
    const { sessionId } = await terminals.open()
    await terminals.send(sessionId, 'true')
    await terminals.send(sessionId, 'false')
    release()
    await terminals.send(sessionId, 'true')
    expect(finished).toEqual([`${sessionId} 0`, `${sessionId} 1`])
  })

  it('tell programs about a new size', async () => {
    const terminals = await bench.create()
    const { sessionId } = await terminals.open({ size: { columns: 100, rows: 20 } })
    expect((await terminals.send(sessionId, 'stty size')).viewport.text).toBe('20 100\n')
    // The shell draws its prompt anew at a new size.
    const redrawn = new Promise<void>((resolve) => terminals.on('data', () => resolve()))
    terminals.resize(sessionId, { columns: 90, rows: 10 })
    await redrawn
    expect((await terminals.send(sessionId, 'stty size')).viewport.text).toBe('10 90\n')
    expect(terminals.get(sessionId).size).toEqual({ columns: 90, rows: 10 })
  })

  it.skipIf(!existsSync('/proc/self/stat'))('know what runs on beside the shell (needs /proc)', async () => {
    const terminals = await bench.create()
    const { sessionId } = await terminals.open()
    expect(await terminals.remaining(sessionId)).toEqual([])
    await terminals.send(sessionId, 'setsid sleep 302 &')
    const commands = async () => (await terminals.remaining(sessionId))?.map(({ command }) => command).join()
    await waitUntil('setsid has become sleep', async () => (await commands()) === 'sleep')
  })

  it('are each other strangers', async () => {
    const mine = await bench.create()
    const yours = await bench.create()
    const { sessionId } = await mine.open()
    expect(yours.list()).toEqual([])
    expect((await failureOf(() => yours.send(sessionId, 'x'))).code).toBe('UNKNOWN_SESSION')
  })

  it('leave nothing behind when they are disposed of, however often', async () => {
    const terminals = await bench.create()
    const { sessionId, pid } = await terminals.open()
    await terminals.send(sessionId, 'sleep 300 & setsid sleep 301 &')
    await Promise.all([terminals.dispose(), terminals.dispose()])
    expect(isAlive(pid)).toBe(false)
    expect((await failureOf(() => terminals.open())).code).toMatch(/DISPOSED|OWNER_GONE/)
    await terminals.dispose()
  })

  it('end with the block that uses them', async () => {
    let pid = 0
    {
      await using terminals = await createTerminals({
        sandboxPolicy: { mode: 'danger-full-access', workspaceRoot: bench.root },
      })
      pid = (await terminals.open()).pid
      expect(isAlive(pid)).toBe(true)
    }
    expect(isAlive(pid)).toBe(false)
  })
})

describe('options', () => {
  const bench = useTerminals()
  it('reach the plugin they are named after', async () => {
    const terminals = await bench.create({
      terminal: { maxSessionsPerOwner: 1, columns: 77 },
      terminalBash: { timeoutMs: 300 },
    })
    const { sessionId, size } = await terminals.open()
    expect(size.columns).toBe(77)
    expect((await failureOf(() => terminals.open())).code).toBe('LIMIT_REACHED')
    expect((await terminals.send(sessionId, 'sleep 20')).waitReason).toBe('timeout')
  })

  it('confine terminals by default', async () => {
    await using terminals = await createTerminals({ sandboxPolicy: { workspaceRoot: bench.root } })
    const { sessionId } = await terminals.open()
    const result = await terminals.send(sessionId, 'touch written')
    expect(result.exitCode).toBe(1)
    expect(result.viewport.text).toMatch(/Read-only file system|Permission denied/)
  })

  it.each([
    [{ terminalBash: { timeoutMs: -1 } }, 'terminalBash.timeoutMs'],
    [{ terminalBash: { idleSilenceMs: 10 } }, 'terminalBash.idleSilenceMs'],
    [{ sandboxPolicy: { mode: 'none' } }, 'sandboxPolicy.mode'],
    [{ sandboxPolicy: { workspaceRoot: '/nowhere' } }, 'sandboxPolicy.workspaceRoot'],
    [{ toolTerminal: { maxResultBytes: 1 } }, 'toolTerminal.maxResultBytes'],
    [{ columns: 80 }, 'columns'],
    [{ onLog: 'stderr' }, 'onLog'],
  ])('that are wrong are named before anything starts: %j', async (options, field) => {
    const failure = await failureOf(() => createTerminals(options as never))
    expect(failure).toBeInstanceOf(EmbedError)
    expect(failure.code).toBe('OPTIONS_INVALID')
    expect(failure.message).toContain(field)
  })

  it('that cannot be kept here fail the start, and leave nothing', async () => {
    const failure = await failureOf(() => bench.create({ cwd: join(bench.root, 'nowhere') }))
    expect(failure.code).toBe('START_FAILED')
    expect(failure.message).toContain('nowhere')
  })

  it('hand what goes wrong in a listener to onLog', async () => {
    const logged: string[] = []
    const terminals = await bench.create({ onLog: ({ type, text }) => logged.push(`${type} ${text}`) })
    terminals.on('opened', () => {
      throw new Error('listener broke')
    })
    await terminals.open()
    expect(logged.join('\n')).toMatch(/error .*listener broke/)
  })
})
