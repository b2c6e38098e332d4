/** What observers hear: output and events in the order of the stream, and commands that people type. */
import type { TerminalEvent } from '@agent-terminals/terminal'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ShellHost, startShellHost, type Terminal } from '../support/shell-host.js'

useBaseline()

let host: ShellHost
let terminal: Terminal
beforeAll(async () => {
  host = await startShellHost()
  terminal = await host.open()
})
afterAll(async () => {
  await terminal.close()
  await host.close()
})
beforeEach(() => {
  terminal.events.length = 0
})

/** Type as a person does: no send, one key at a time. */
async function type(keys: string): Promise<void> {
  const { observers } = host.ctx.terminals
  for (const key of keys) await observers.input(terminal.opened.sessionId, 'person', key, { holder: 'any' })
}

const finished = () => terminal.events.filter(({ type }) => type === 'command-finished').length
const commandLines = () =>
  terminal.events.flatMap((event) => (event.type === 'command-executed' ? [event.commandLine] : []))

/** The stream as pieces: text, and events by their type. */
function pieces(events: readonly TerminalEvent[]): string[] {
  const found: string[] = []
  let text = ''
  for (const event of events) {
    if (event.type === 'data') text += Buffer.from(event.bytes).toString()
    else if (event.type === 'command-executed' || event.type === 'command-finished') {
      found.push(text, event.type)
      text = ''
    }
  }
  return [...found, text]
}

describe('observers of a shell', () => {
  it('hear the output of a command between its start and its end', async () => {
    await terminal.send('echo one')
    const [before = '', , output, , after = ''] = pieces(terminal.events)
    expect(before).toContain('echo one')
    expect(output).toBe('one\r\n')
    expect(after).not.toContain('one\r\n')
  })

  it('hear each of several commands in one read apart', async () => {
    await terminal.send('echo a\necho b')
    await waitUntil('both have ended', () => finished() === 2)
    const texts = pieces(terminal.events)
    expect([texts[2], texts[6]]).toEqual(['a\r\n', 'b\r\n'])
  })

  it('hear the line of a command that was typed key by key', async () => {
    await type('echo typed | cat\r')
    await waitUntil('it has ended', () => finished() === 1)
    expect(commandLines()).toEqual(['echo typed | cat'])
  })

  it('hear an edited line as it was in the end', async () => {
    await type('echo xz\x7fyz\x1b[D\x1b[D!\r')
    await waitUntil('it has ended', () => finished() === 1)
    expect(commandLines()).toEqual(['echo x!yz'])
  })

  it('hear all lines of a command of several', async () => {
    await type('for x in 1 2; do\recho $x\rdone\r')
    await waitUntil('it has ended', () => finished() === 1)
    expect(commandLines()).toEqual(['for x in 1 2; do\necho $x\ndone'])
  })
})
