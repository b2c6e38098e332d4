/** Terminals and what happens to them, as the protocol allows it. */
import {
  type ContentPart,
  reduceTerminal,
  type SessionClaim,
  type TerminalAction,
  type TerminalClaim,
  type TerminalInfo,
  type TerminalState,
} from '@agent-terminals/ahp/protocol'
import fc from 'fast-check'

export const ME = 'me'

export function sessionClaim(id: string, toolCallId?: string): SessionClaim {
  const claim = { kind: 'session', session: `ahp-session:/${id}`, chat: `ahp-chat:/${id}` } as const
  return toolCallId === undefined ? claim : { ...claim, toolCallId }
}

export function terminalState(change: Partial<TerminalState> = {}): TerminalState {
  return { title: 'shell', content: [], lifecycle: { status: 'running' }, claim: sessionClaim('s'), ...change }
}

export function infoOf(uri: string, { title, claim, lifecycle }: TerminalState): TerminalInfo {
  return { resource: uri, title, claim, lifecycle }
}

export const commandPart = (change: Partial<Extract<ContentPart, { type: 'command' }>> = {}): ContentPart => ({
  type: 'command',
  commandId: 'c1',
  commandLine: 'ls',
  output: '',
  timestamp: 1_000,
  isComplete: false,
  ...change,
})

export const arbitraryClaim: fc.Arbitrary<TerminalClaim> = fc.oneof(
  fc.constantFrom(ME, 'other').map((clientId) => ({ kind: 'client' as const, clientId })),
  fc.constantFrom('s1', 's2').map((id) => sessionClaim(id)),
  fc.constantFrom('s1', 's2').map((id) => sessionClaim(id, 'call')),
)

export const arbitraryAction: fc.Arbitrary<TerminalAction> = fc.oneof(
  fc.string().map((data) => ({ type: 'terminal/data' as const, data })),
  arbitraryClaim.map((claim) => ({ type: 'terminal/claimed' as const, claim })),
  fc.string().map((title) => ({ type: 'terminal/titleChanged' as const, title })),
  fc.constantFrom('file:///a', 'file:///b').map((cwd) => ({ type: 'terminal/cwdChanged' as const, cwd })),
  fc.constant({ type: 'terminal/exited' as const, exitCode: 1 }),
  fc.constant({ type: 'terminal/cleared' as const }),
  fc.record({ type: fc.constant('terminal/resized' as const), cols: fc.nat(), rows: fc.nat() }),
  fc.constantFrom('c1', 'c2').map((commandId) => ({
    type: 'terminal/commandExecuted' as const,
    commandId,
    commandLine: commandId,
    timestamp: 1,
  })),
  fc
    .constantFrom('c1', 'c2')
    .map((commandId) => ({ type: 'terminal/commandFinished' as const, commandId, exitCode: 0 })),
)

/** The states of a terminal, one per action. */
export function statesOf(actions: readonly TerminalAction[]): readonly TerminalState[] {
  const states = [terminalState()]
  for (const action of actions) states.push(reduceTerminal(states.at(-1) ?? terminalState(), action))
  return states
}
