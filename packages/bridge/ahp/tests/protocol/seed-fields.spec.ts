/** The fields that the founding documents list for terminals, against what 0.7 and 0.8 peers get from us. */
import { describe, expect, it } from 'vitest'
import {
  clientTerminalActionSchemas,
  createTerminalSchema,
  downAction,
  downRootState,
  downTerminalState,
  reduceTerminal,
  type TerminalAction,
  type TerminalState,
  upTerminalState,
} from '../../src/protocol/index.js'

/** As the channel reference and the guide have them; `?` marks what may be missing. */
const SEED = {
  TerminalInfo: ['resource', 'title', 'claim', 'exitCode?'],
  TerminalClientClaim: ['kind', 'clientId'],
  TerminalSessionClaim: ['kind', 'session', 'turnId?', 'toolCallId?'],
  TerminalState: [
    'title',
    'cwd?',
    'cols?',
    'rows?',
    'content',
    'exitCode?',
    'claim',
    'supportsCommandDetection?',
    'isPty?',
  ],
  TerminalUnclassifiedPart: ['type', 'value'],
  TerminalCommandPart: [
    'type',
    'commandId',
    'commandLine',
    'output',
    'timestamp',
    'isComplete',
    'exitCode?',
    'durationMs?',
  ],
  createTerminal: ['channel', 'claim', 'name?', 'cwd?', 'cols?', 'rows?'],
} as const
const ACTIONS: Readonly<
  Record<TerminalAction['type'], { readonly fields: readonly string[]; readonly isClients: boolean }>
> = {
  'terminal/data': { fields: ['data'], isClients: false },
  'terminal/input': { fields: ['data'], isClients: true },
  'terminal/resized': { fields: ['cols', 'rows'], isClients: true },
  'terminal/claimed': { fields: ['claim'], isClients: true },
  'terminal/titleChanged': { fields: ['title'], isClients: true },
  'terminal/cwdChanged': { fields: ['cwd'], isClients: false },
  'terminal/exited': { fields: ['exitCode?'], isClients: false },
  'terminal/cleared': { fields: [], isClients: true },
  'terminal/commandDetectionAvailable': { fields: [], isClients: false },
  'terminal/commandExecuted': { fields: ['commandId', 'commandLine', 'timestamp'], isClients: false },
  'terminal/commandFinished': { fields: ['commandId', 'exitCode?', 'durationMs?'], isClients: false },
}

const claim = { kind: 'session', session: 'ahp-session:/s', chat: 'ahp-chat:/c', turnId: 't', toolCallId: 'k' } as const
/** A state in which everything is there. */
const full: TerminalState = {
  title: 't',
  cwd: 'file:///w',
  cols: 80,
  rows: 24,
  content: [
    { type: 'unclassified', value: '$ ' },
    {
      type: 'command',
      commandId: 'c',
      commandLine: 'x',
      output: 'o',
      timestamp: 1,
      isComplete: true,
      exitCode: 0,
      durationMs: 2,
    },
  ],
  lifecycle: { status: 'exited', exitCode: 3 },
  claim,
  supportsCommandDetection: true,
  isPty: true,
}
const names = (fields: readonly string[]) => fields.map((field) => field.replace('?', '')).sort()
const keys = (value: unknown) => Object.keys(value as object).sort()

describe('the fields of the founding documents', () => {
  it('are those of a state, its parts and its claim', () => {
    const old = downTerminalState(full, 'exit-code') as { content: unknown[]; claim: unknown }
    expect(keys(old)).toEqual(names(SEED.TerminalState))
    expect(keys(old.content[0])).toEqual(names(SEED.TerminalUnclassifiedPart))
    expect(keys(old.content[1])).toEqual(names(SEED.TerminalCommandPart))
    expect(keys(old.claim)).toEqual(names(SEED.TerminalSessionClaim))
    const client = downTerminalState({ ...full, claim: { kind: 'client', clientId: 'a' } }, 'exit-code') as {
      claim: unknown
    }
    expect(keys(client.claim)).toEqual(names(SEED.TerminalClientClaim))
  })

  it('are those of a list entry', () => {
    const { title, lifecycle } = full
    const root = { agents: [], terminals: [{ resource: 'ahp-terminal:/t', title, claim, lifecycle }] }
    const old = downRootState(root, 'exit-code') as { terminals: unknown[] }
    expect(keys(old.terminals[0])).toEqual(names(SEED.TerminalInfo))
  })

  it('are those of the actions, with those that clients may dispatch', () => {
    const isClients = Object.entries(ACTIONS).flatMap(([type, each]) => (each.isClients ? [type] : []))
    expect(keys(clientTerminalActionSchemas)).toEqual(isClients.sort())
    const samples: Readonly<Record<string, unknown>> = {
      data: 'x',
      cols: 1,
      rows: 1,
      claim,
      title: 'n',
      cwd: 'file:///',
      exitCode: 0,
      commandId: 'c',
      commandLine: 'x',
      timestamp: 1,
      durationMs: 1,
    }
    for (const [type, { fields }] of Object.entries(ACTIONS)) {
      const payload = Object.fromEntries(names(fields).map((name) => [name, samples[name]]))
      const action = { type, ...payload } as TerminalAction
      expect(() => reduceTerminal(full, action)).not.toThrow()
      expect(keys(downAction(action, 'exit-code'))).toEqual(names(['type', ...fields]))
    }
  })

  it('are those of createTerminal', () => {
    expect(keys(createTerminalSchema.shape)).toEqual(names(SEED.createTerminal))
  })

  it('come back to the same state, except for the chat that they do not know', () => {
    const there = JSON.parse(JSON.stringify(downTerminalState(full, 'exit-code')))
    expect(upTerminalState(there, 'exit-code')).toEqual({ ...full, claim: { ...claim, chat: claim.session } })
  })
})
