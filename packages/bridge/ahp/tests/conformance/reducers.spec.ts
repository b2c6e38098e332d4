/** Sheet §19.8: reducers. Every input is frozen, so a reducer that changes its input throws. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEnvelope, type Mirror, terminalMirror } from '../../src/client/mirror.js'
import {
  type CommandPart,
  type ContentPart,
  type RootState,
  rawStream,
  reduceRoot,
  reduceTerminal,
  type TerminalAction,
  type TerminalState,
  upEnvelope,
} from '../../src/protocol/index.js'
import { anyTerminalAction } from '../support/arbitrary-actions.js'
import { deepFreeze } from '../support/deep-freeze.js'

const T = 'ahp-terminal:/t'
const plain: ContentPart = { type: 'unclassified', value: 'abc' }
const running: CommandPart = {
  type: 'command',
  commandId: 'c1',
  commandLine: 'ls',
  output: 'x',
  timestamp: 1,
  isComplete: false,
}
const done: CommandPart = { ...running, isComplete: true, exitCode: 0, durationMs: 5 }

function stateOf(content: readonly ContentPart[] = [], more: Partial<TerminalState> = {}): TerminalState {
  return deepFreeze({
    title: 't',
    content,
    lifecycle: { status: 'running' },
    claim: { kind: 'client', clientId: 'a' },
    ...more,
  })
}
const reduce = (state: TerminalState, ...actions: readonly TerminalAction[]) =>
  actions.reduce((current, action) => deepFreeze(reduceTerminal(current, deepFreeze(action))), deepFreeze(state))
const data = (text: string): TerminalAction => ({ type: 'terminal/data', data: text })
const executed = (commandId: string): TerminalAction => ({
  type: 'terminal/commandExecuted',
  commandId,
  commandLine: 'ls',
  timestamp: 1,
})
const finished = (commandId: string, more: object = {}): TerminalAction => ({
  type: 'terminal/commandFinished',
  commandId,
  ...more,
})

describe('the terminal reducer', () => {
  it('RE-1 makes one unclassified part of the first data', () => {
    expect(reduce(stateOf(), data('a')).content).toEqual([{ type: 'unclassified', value: 'a' }])
  })

  it('RE-2 lengthens an unclassified tail', () => {
    expect(reduce(stateOf([plain]), data('d')).content).toEqual([{ type: 'unclassified', value: 'abcd' }])
  })

  it('RE-3 lengthens the output of a running command at the tail, and nothing else', () => {
    expect(reduce(stateOf([plain, running]), data('y')).content).toEqual([plain, { ...running, output: 'xy' }])
  })

  it('RE-4 makes a new part behind a completed command', () => {
    expect(reduce(stateOf([done]), data('y')).content).toEqual([done, { type: 'unclassified', value: 'y' }])
  })

  it('RE-5 lengthens only the second of two running commands', () => {
    const { content } = reduce(stateOf(), executed('c1'), executed('c2'), data('y'))
    expect(content).toMatchObject([
      { commandId: 'c1', output: '' },
      { commandId: 'c2', output: 'y' },
    ])
  })

  it('RE-6 gives the identical object for input and for what it does not know', () => {
    const state = stateOf([plain])
    expect(reduce(state, { type: 'terminal/input', data: 'x' })).toBe(state)
    expect(reduceTerminal(state, { type: 'terminal/sparkled' } as unknown as TerminalAction)).toBe(state)
  })

  it('RE-7 sets and replaces the size, and nothing else', () => {
    const sized = reduce(stateOf([plain]), { type: 'terminal/resized', cols: 80, rows: 24 })
    expect(sized).toEqual({ ...stateOf([plain]), cols: 80, rows: 24 })
    expect(reduce(sized, { type: 'terminal/resized', cols: 9, rows: 8 })).toEqual({ ...sized, cols: 9, rows: 8 })
  })

  it('RE-8 replaces a claim as a whole', () => {
    const session = { kind: 'session', session: 'ahp-session:/s', chat: 'ahp-chat:/c' } as const
    const state = stateOf([], { claim: { ...session, turnId: 't1', toolCallId: 'k1' } })
    expect(reduce(state, { type: 'terminal/claimed', claim: session }).claim).toEqual(session)
    const client = { kind: 'client', clientId: 'b' } as const
    expect(reduce(state, { type: 'terminal/claimed', claim: client }).claim).toEqual(client)
  })

  it('RE-9 ends with the code of the action, or with none', () => {
    const once = reduce(stateOf(), { type: 'terminal/exited', exitCode: 0 })
    expect(once.lifecycle).toEqual({ status: 'exited', exitCode: 0 })
    expect(reduce(once, { type: 'terminal/exited', exitCode: 3 }).lifecycle).toEqual({ status: 'exited', exitCode: 3 })
    expect(Object.keys(reduce(once, { type: 'terminal/exited' }).lifecycle)).toEqual(['status'])
  })

  it('RE-10 clears the content and keeps detection', () => {
    const state = stateOf([plain, done], { supportsCommandDetection: true, cols: 80, rows: 24 })
    expect(reduce(state, { type: 'terminal/cleared' })).toEqual({ ...state, content: [] })
  })

  it('RE-11 detection becomes true, and stays so', () => {
    const once = reduce(stateOf(), { type: 'terminal/commandDetectionAvailable' })
    expect(once.supportsCommandDetection).toBe(true)
    expect(reduce(once, { type: 'terminal/commandDetectionAvailable' }).supportsCommandDetection).toBe(true)
  })

  it('RE-12 a command brings detection with it', () => {
    const state = reduce(stateOf([plain]), executed('c1'))
    expect(state).toMatchObject({ supportsCommandDetection: true, content: [plain, { ...running, output: '' }] })
  })

  it('RE-13 a finished command has exactly what the action has', () => {
    expect(reduce(stateOf([running]), finished('c1', { exitCode: 2, durationMs: 7 })).content).toEqual([
      { ...running, isComplete: true, exitCode: 2, durationMs: 7 },
    ])
    const [part] = reduce(stateOf([done]), finished('c1')).content
    expect(part).toEqual({ ...running, isComplete: true })
    expect(part).not.toHaveProperty('exitCode')
    expect(part).not.toHaveProperty('durationMs')
  })

  it('RE-14 an unknown command finishes without effect, also after clearing', () => {
    const state = stateOf([running])
    expect(reduce(state, finished('c9'))).toBe(state)
    const cleared = reduce(state, { type: 'terminal/cleared' })
    expect(reduce(cleared, finished('c1'))).toBe(cleared)
  })

  it('RE-15 two parts of one id both finish', () => {
    const { content } = reduce(stateOf([running, running]), finished('c1', { exitCode: 1 }))
    expect(content).toMatchObject([
      { isComplete: true, exitCode: 1 },
      { isComplete: true, exitCode: 1 },
    ])
  })

  it('RE-16 data after the end of a command begins a new part', () => {
    const { content } = reduce(stateOf([running]), finished('c1'), data('$ '))
    expect(content).toMatchObject([
      { isComplete: true, output: 'x' },
      { type: 'unclassified', value: '$ ' },
    ])
  })

  it('RE-17 never changes its input', () => {
    fc.assert(
      fc.property(fc.array(anyTerminalAction, { maxLength: 30 }), (actions) => {
        expect(() => reduce(stateOf([plain, running]), ...actions)).not.toThrow()
      }),
    )
  })

  it('RE-20 host and client fold any actions to equal states', () => {
    fc.assert(
      fc.property(fc.array(anyTerminalAction, { maxLength: 60 }), (actions) => {
        const onHost = reduce(stateOf(), ...actions)
        const kind = terminalMirror(1 << 20)
        let mirror: Mirror<TerminalState> = { kind: 'live', state: stateOf(), seq: 0 }
        for (const [index, action] of actions.entries()) {
          // As it comes over the wire.
          const wire: unknown = JSON.parse(JSON.stringify({ channel: T, serverSeq: index + 1, action }))
          const envelope = upEnvelope(wire, 'lifecycle')
          if (envelope) mirror = applyEnvelope(mirror, envelope, kind).mirror
        }
        expect(mirror.kind === 'live' && mirror.state).toEqual(onHost)
      }),
    )
  })

  it('RE-21 the raw stream is all data since the last clear', () => {
    fc.assert(
      fc.property(fc.array(anyTerminalAction, { maxLength: 60 }), (actions) => {
        const since = actions.slice(actions.findLastIndex(({ type }) => type === 'terminal/cleared') + 1)
        const expected = since.map((action) => (action.type === 'terminal/data' ? action.data : '')).join('')
        expect(rawStream(reduce(stateOf(), ...actions).content)).toBe(expected)
      }),
    )
  })

  it('RE-22 what it does not know passes through unchanged', () => {
    const odd = {
      content: [{ type: 'hologram', blob: [1] }],
      lifecycle: { status: 'sleeping', until: 9 },
      claim: { kind: 'crowd', size: 3 },
    } as unknown as Partial<TerminalState>
    const state = reduce(stateOf([], odd), data('x'), { type: 'terminal/titleChanged', title: 'n' })
    expect(state).toMatchObject({ ...odd, content: [{ type: 'hologram', blob: [1] }, { value: 'x' }], title: 'n' })
    expect(rawStream(state.content)).toBe('x')
  })
})

describe('the root reducer', () => {
  const root: RootState = deepFreeze({ agents: [{ id: 1 }], activeSessions: 2, terminals: [], _meta: { a: 1 } })
  const info = {
    resource: T,
    title: 't',
    claim: { kind: 'client', clientId: 'a' },
    lifecycle: { status: 'running' },
  } as const

  it('RE-18 replaces the list, also by an empty one, and keeps the rest', () => {
    const listed = deepFreeze(reduceRoot(root, { type: 'root/terminalsChanged', terminals: [info] }))
    expect(listed).toEqual({ ...root, terminals: [info] })
    expect(reduceRoot(listed, { type: 'root/terminalsChanged', terminals: [] })).toEqual(root)
    expect(reduceRoot(root, { type: 'root/agentsChanged', agents: [] })).toEqual({ ...root, agents: [] })
    expect(reduceRoot(root, { type: 'root/activeSessionsChanged', activeSessions: 0 }).activeSessions).toBe(0)
  })

  it('RE-19 merges or replaces settings, and leaves a state without settings alone', () => {
    const action = { type: 'root/configChanged', config: { b: 2 } } as const
    expect(reduceRoot(root, action)).toBe(root)
    const configured: RootState = deepFreeze({ ...root, config: { schema: {}, values: { a: 1 } } })
    expect(reduceRoot(configured, action).config).toEqual({ schema: {}, values: { a: 1, b: 2 } })
    expect(reduceRoot(configured, { ...action, replace: true }).config).toEqual({ schema: {}, values: { b: 2 } })
  })
})
