import { TerminalError } from '@agent-terminals/terminal'
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildHouse, type House, textOf } from './house.js'
import type { ScriptedSession } from './scripted-backend.js'

useBaseline()

let house: House
beforeEach(async () => {
  house = await buildHouse()
})
afterEach(() => house.dispose())

describe('terminal_open', () => {
  it('acknowledges with the id, after what the shell said', async () => {
    house.backend.prepare = (session) => {
      session.motd = '\x1b[1mWelcome\x1b[0m\n'
    }
    const { result } = await house.call('terminal_open', { type: 'shell', name: 'build', cwd: '.' })
    const { sessionId, ...rest } = result.structured ?? {}
    expect(rest).toEqual({ name: 'build', type: 'shell', pid: 4242, status: { kind: 'running' }, motd: 'Welcome\n' })
    expect(result.content).toEqual([
      { type: 'text', text: `Welcome\n[session ${sessionId} "build": shell, pid 4242, cwd /src]` },
    ])
  })

  it('tells what a confined terminal may do, as text and as data', async () => {
    const confinement = { mode: 'read-only', writable: [], temporaryDirectory: '/tmp', network: 'deny' } as const
    house.backend.prepare = (session) => {
      session.confinement = confinement
    }
    const call = await house.call('terminal_open', { type: 'shell' })
    expect(call.result.structured?.confinement).toEqual(confinement)
    expect(textOf(call)).toMatch(/\]\n\[sandbox read-only: may write in \/tmp \(removed on close\); no network\]$/)
  })

  it('hands the working directory of the agent on, and relative ones below it', async () => {
    await house.call('terminal_open', { type: 'shell' })
    expect(house.backend.sessions[0]?.request.cwd).toBe(house.agent.cwd)
  })

  it.each([
    ['an unknown type', { type: 'telnet' }, 'UNKNOWN_TYPE'],
    ['an empty name', { type: 'shell', name: '' }, 'NAME_INVALID'],
  ])('refuses %s with a code and opens nothing', async (_title, args, code) => {
    const call = await house.call('terminal_open', args)
    expect(call.result).toMatchObject({ isError: true, code })
    expect(textOf(call)).toContain(`[error ${code}]`)
    expect(house.backend.sessions).toEqual([])
    expect(house.root.terminals.list(house.agent)).toEqual([])
  })

  it('refuses a name that is in use', async () => {
    await house.open({ name: 'build' })
    expect((await house.call('terminal_open', { type: 'shell', name: 'build' })).result.code).toBe('NAME_TAKEN')
    expect(house.backend.sessions).toHaveLength(1)
  })
})

describe('terminal_read', () => {
  const read = async (
    session: ScriptedSession,
    sessionId: string,
    page: Partial<ScriptedSession['page']>,
    args = {},
  ) => {
    session.page = { ...session.page, ...page }
    return house.call('terminal_read', { sessionId, ...args })
  }

  it('gives a page as it is when it is everything', async () => {
    const { sessionId, session } = await house.open()
    const call = await read(session, sessionId, { text: 'a\nb\n', totalLines: 2, lineEnd: 2 })
    expect(textOf(call)).toBe('a\nb\n')
    expect(call.result.structured).toEqual({
      text: 'a\nb\n',
      totalLines: 2,
      lineBegin: 1,
      lineEnd: 2,
      truncated: false,
    })
  })

  it('says where a page lies and how to get older lines', async () => {
    const { sessionId, session } = await house.open()
    const page = { text: 'x\n', totalLines: 500, lineBegin: 201, lineEnd: 300, truncated: true }
    const call = await read(session, sessionId, page, { lines: 100, offset: 200 })
    expect(textOf(call)).toBe(
      'x\n[lines 201-300 of 500; older ones with offset 300]\n[output before the first retained line is lost]',
    )
    expect(session.reads).toEqual([{ lines: 100, offset: 200 }])
  })

  it('says that there is nothing yet, or nothing at an offset', async () => {
    const { sessionId, session } = await house.open()
    const empty = { text: '', lineBegin: 0, lineEnd: 0 }
    expect(textOf(await read(session, sessionId, { ...empty, totalLines: 0 }))).toBe('[no output yet]')
    expect(textOf(await read(session, sessionId, { ...empty, totalLines: 3 }, { offset: 9 }))).toBe(
      '[nothing at offset 9: 3 lines retained]',
    )
  })

  it('works while a send is active and after the terminal has ended', async () => {
    const { sessionId, session } = await house.open()
    const sending = house.call('terminal_send', { sessionId, text: 'sleep 9' })
    const send = await session.waitForSend(1)
    expect(await house.text('terminal_read', { sessionId })).toBe('kept\n')
    send.settle('')
    await sending
    session.emit({ type: 'exited', status: { kind: 'exited', exitCode: 3 } })
    expect(await house.text('terminal_read', { sessionId })).toBe('kept\n')
  })
})

describe('terminal_signal', () => {
  it('names the process group that got it', async () => {
    const { sessionId, session } = await house.open()
    const call = await house.call('terminal_signal', { sessionId, signal: 'SIGTSTP' })
    expect(textOf(call)).toBe('[SIGTSTP delivered to process group 77]')
    expect(call.result.structured).toEqual({ delivered: true, targetPgid: 77 })
    expect(session.signals).toEqual(['SIGTSTP'])
  })

  it('passes a refusal on with its code', async () => {
    const { sessionId, session } = await house.open()
    session.signalError = new TerminalError('SIGNAL_REFUSED', 'That is the shell itself. Use terminal_close.')
    const call = await house.call('terminal_signal', { sessionId, signal: 'SIGKILL' })
    expect(call.result.code).toBe('SIGNAL_REFUSED')
    expect(textOf(call)).toContain('Use terminal_close.')
  })
})

describe('terminal_close', () => {
  it('says whether something had to be ended', async () => {
    const { sessionId } = await house.open()
    const call = await house.call('terminal_close', { sessionId })
    expect(textOf(call)).toBe('[closed; its processes were ended]')
    expect(call.result.structured).toEqual({ killed: true })
  })

  it('tells a terminal that had ended by itself', async () => {
    const { sessionId, session } = await house.open()
    session.closeReport = { killed: false }
    expect(await house.text('terminal_close', { sessionId })).toBe('[closed; it had already ended]')
  })

  it('reports a failed close with its code, and the next one tries again', async () => {
    const { sessionId, session } = await house.open()
    session.closeError = new TerminalError('CLEANUP_FAILED', 'sleep (pid 9) is still there. Close again to retry.')
    const failed = await house.call('terminal_close', { sessionId })
    expect(failed.result.code).toBe('CLEANUP_FAILED')
    expect(textOf(failed)).toContain('sleep (pid 9)')
    session.closeError = undefined
    expect((await house.call('terminal_close', { sessionId })).result.isError).toBeUndefined()
    expect(session.closes).toBe(2)
  })
})

describe('terminal_list', () => {
  it('says how to start when there is nothing', async () => {
    const call = await house.call('terminal_list', {})
    expect(textOf(call)).toBe('[no terminals; terminal_open starts one]')
    expect(call.result.structured).toEqual({ sessions: [] })
  })

  it('shows name, type, pid, status, foreground, directory and idle time', async () => {
    const { sessionId, session } = await house.open({ name: 'build' })
    session.description = { ...session.description, foreground: 'make', cwd: '/src/lib' }
    const call = await house.call('terminal_list', {})
    expect(textOf(call)).toBe(`${sessionId} "build" shell pid 4242: running, foreground make, cwd /src/lib, idle 1.5 s`)
    expect(call.result.structured).toEqual({
      sessions: [
        {
          sessionId,
          name: 'build',
          type: 'shell',
          pid: 4242,
          status: { kind: 'running' },
          cwd: '/src/lib',
          foreground: 'make',
          idleMs: 1500,
          sending: false,
          claimedByClient: false,
        },
      ],
    })
  })

  it('tells active sends, ended terminals and who has the keyboard', async () => {
    const busy = await house.open()
    const held = await house.open()
    const ended = await house.open()
    const sending = house.call('terminal_send', { sessionId: busy.sessionId, text: 'sleep 9' })
    const send = await busy.session.waitForSend(1)
    const [, second] = house.root.terminals.list(house.agent)
    if (second) house.root.terminals.observers.claim(second.sessionId, { kind: 'client', clientId: 'person' })
    ended.session.emit({ type: 'exited', status: { kind: 'signalled', signal: 'SIGHUP' } })
    expect((await house.text('terminal_list', {})).split('\n')).toEqual([
      expect.stringMatching(`^${busy.sessionId} .*a send is active$`),
      expect.stringMatching(`^${held.sessionId} .*a person has the keyboard$`),
      expect.stringMatching(`^${ended.sessionId} .*ended by SIGHUP.*`),
    ])
    send.settle('')
    await sending
  })

  it('shows the caller only its own', async () => {
    await house.open()
    const other = await house.createAgent()
    expect(await house.text('terminal_list', {}, { agent: other })).toBe('[no terminals; terminal_open starts one]')
  })

  it('cleans what a program has put into names and paths', async () => {
    const { session } = await house.open()
    session.description = { ...session.description, foreground: 'a\x1b[2Jb', cwd: '/tmp/new\nline' }
    expect(await house.text('terminal_list', {})).toContain('foreground ab, cwd /tmp/new line')
  })
})
