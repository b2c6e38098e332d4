/** What a test reads from a run. */
import { expect } from 'vitest'
import type { WireUpdate } from '../client/card.js'
import type { TestClient } from '../client/test-client.js'
import type { Run } from '../house.js'

type Data = Readonly<Record<string, unknown>>

/** All updates of one call. */
export function updatesOf(client: TestClient, sessionId: string, callId: string): readonly WireUpdate[] {
  return client.updates(sessionId).filter((update) => update.toolCallId === callId)
}

/** Pieces of output in order, whichever key carries them. */
export function outputsOf(client: TestClient, sessionId: string, callId: string): readonly string[] {
  return updatesOf(client, sessionId, callId).flatMap(({ _meta }) => {
    const output = (_meta?.terminal_output ?? _meta?.terminal_output_delta) as { readonly data: string } | undefined
    return output ? [output.data] : []
  })
}

export function exitOf(client: TestClient, sessionId: string, callId: string): Data | undefined {
  const found = updatesOf(client, sessionId, callId).find(({ _meta }) => _meta && 'terminal_exit' in _meta)
  return found?._meta?.terminal_exit as Data | undefined
}

/** Status, exit and text of the run's last call; fails on any violation of the rules. */
export function concludeRun({ client, sessionId, callId }: Run) {
  expect(client.violations()).toEqual([])
  const { status } = client.view(sessionId, callId)
  const exit = exitOf(client, sessionId, callId)
  return {
    status,
    exit: exit && [exit.exit_code, exit.signal],
    text: outputsOf(client, sessionId, callId).join(''),
    view: client.view(sessionId, callId),
    older: client.view(sessionId, callId, 'older'),
  }
}

/** The text block of a call that was shown without a card. */
export function blockOf({ client, sessionId, callId }: Run): string | undefined {
  expect(client.violations()).toEqual([])
  return client.view(sessionId, callId).texts[0]
}
