import type { SendResult } from '@agent-terminals/terminal'
import { useBaseline } from '@agent-terminals/testing'
import type { RenderIntent, ToolResult } from '@agent-terminals/tools/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resultCard } from '../src/tools/toolkit.js'
import { buildHouse, type House } from './house.js'
import { type ScriptedSession, settled } from './scripted-backend.js'

useBaseline()

let house: House
let sessionId: string
let session: ScriptedSession
beforeEach(async () => {
  house = await buildHouse()
  const opened = await house.open({ name: 'build' })
  sessionId = opened.sessionId
  session = opened.session
})
afterEach(() => house.dispose())

const announce = (name: string, args: Record<string, unknown>) => house.root.tools.presentCall(name, args, house.agent)
const send = async (text: string, changes: Partial<SendResult>, args = {}): Promise<RenderIntent> => {
  session.answers.push(settled(text, changes))
  return (await house.call('terminal_send', { sessionId, text: 'make\nmore', ...args })).presentation
}

describe('cards of a foreground send', () => {
  it('announces a terminal titled by the first line, in the directory of the shell', () => {
    expect(announce('terminal_send', { sessionId, text: 'make\nmore' })).toEqual({
      card: 'terminal',
      title: 'make',
      cwd: '/src',
    })
  })

  it('names an empty wait and a bare Enter', () => {
    expect(announce('terminal_send', { sessionId, text: '', submit: false }).title).toBe('Wait for output')
    expect(announce('terminal_send', { sessionId, text: '' }).title).toBe('Enter')
    expect(announce('terminal_send', { sessionId, text: '\x04', submit: false }).title).toBe('^D')
  })

  const ends: [title: string, changes: Partial<SendResult>, exit: object | undefined][] = [
    ['exit 0', { exitCode: 0 }, { exitCode: 0, signal: null }],
    ['a bad exit', { exitCode: 7 }, { exitCode: 7, signal: null }],
    ['no exit for a timeout', { waitReason: 'timeout', state: 'busy' }, undefined],
    [
      'no exit for a timeout, even when an earlier command ended',
      { waitReason: 'timeout', state: 'busy', exitCode: 0 },
      undefined,
    ],
    ['no exit while a program waits for a line', { state: 'line', exitCode: 0 }, undefined],
    ['no exit for a guess', { waitReason: 'inferred_idle', state: 'quiet' }, undefined],
    [
      'the code of the shell when the terminal ended',
      { waitReason: 'session_exit', state: 'ended', sessionStatus: { kind: 'exited', exitCode: 3 } },
      { exitCode: 3, signal: null },
    ],
    [
      'the signal when the terminal was ended by one',
      { waitReason: 'session_exit', state: 'ended', sessionStatus: { kind: 'signalled', signal: 'SIGKILL' } },
      { exitCode: null, signal: 'SIGKILL' },
    ],
  ]
  it.each(ends)('concludes with %s', async (_title, changes, exit) => {
    expect(await send('out\n', changes)).toEqual({ card: 'terminal', title: 'make', ...(exit ? { exit } : {}) })
  })

  it('shows the text of an error, since nothing of it was streamed', async () => {
    session.answers.push({ kind: 'failed', error: new Error('broken') })
    const { presentation } = await house.call('terminal_send', { sessionId, text: 'x' })
    expect(presentation).toEqual({ card: 'terminal', title: 'x', output: 'broken\n[error TOOL_FAILED]' })
  })

  it('shows what a hook has answered instead', async () => {
    const result: ToolResult = { content: [{ type: 'text', text: 'not today' }] }
    house.root.tools.hook({ before: () => ({ action: 'respond', result }) })
    const { presentation } = await house.call('terminal_send', { sessionId, text: 'x' })
    expect(presentation).toEqual({ card: 'terminal', title: 'x', output: 'not today' })
  })
})

describe('cards of the others', () => {
  it('are generic: execute, read, execute, delete, read, and execute for a background send', () => {
    const kinds = [
      announce('terminal_open', { type: 'shell', name: 'build' }),
      announce('terminal_read', { sessionId }),
      announce('terminal_signal', { sessionId, signal: 'SIGINT' }),
      announce('terminal_close', { sessionId }),
      announce('terminal_list', {}),
      announce('terminal_send', { sessionId, text: 'make', run_in_background: true }),
    ]
    expect(kinds).toEqual([
      { card: 'generic', kind: 'execute', title: 'Open shell "build"' },
      { card: 'generic', kind: 'read', title: 'Read terminal "build"' },
      { card: 'generic', kind: 'execute', title: 'Send SIGINT to terminal "build"' },
      { card: 'generic', kind: 'delete', title: 'Close terminal "build"' },
      { card: 'generic', kind: 'read', title: 'List terminals' },
      { card: 'generic', kind: 'execute', title: 'Background: make' },
    ])
  })

  it('show on results what the model got', async () => {
    const calls = [
      await house.call('terminal_read', { sessionId }),
      await house.call('terminal_signal', { sessionId, signal: 'SIGINT' }),
      await house.call('terminal_list', {}),
      await house.call('terminal_close', { sessionId }),
    ]
    for (const { presentation, result } of calls) {
      const [block] = result.content
      expect(presentation).toMatchObject({ card: 'generic', text: block?.type === 'text' ? block.text : '' })
    }
    expect(calls.map(({ presentation }) => 'kind' in presentation && presentation.kind)).toEqual([
      'read',
      'execute',
      'read',
      'delete',
    ])
  })

  it('carry no locations and nothing of a protocol', async () => {
    const { presentation } = await house.call('terminal_list', {})
    expect(Object.keys(presentation).sort()).toEqual(['card', 'kind', 'text', 'title'])
  })

  it('have no text where a result has none', () => {
    expect(resultCard('read', 'List terminals', { content: [] })).toEqual({
      card: 'generic',
      kind: 'read',
      title: 'List terminals',
    })
  })
})
