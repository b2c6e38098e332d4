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
const continuations = () => pieces(terminal.events).join('').split('\u001b[?2004h> ').length - 1
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
    // A person goes on when the shell has asked for more; what is typed ahead of that the kernel echoes a second time.
    await type('for x in 1 2; do\r')
    await waitUntil('more is asked for', () => continuations() === 1)
    await type('echo $x\r')
    await waitUntil('still more is asked for', () => continuations() === 2)
    await type('done\r')
    await waitUntil('it has ended', () => finished() === 1)
    expect(commandLines()).toEqual(['for x in 1 2; do\necho $x\ndone'])
  })
})

describe('a send that is released', () => {
  it('returns what there is, with the note, and its program goes on', async () => {
    const send = terminal.start('echo begun; read -r line; echo "got $line"; sleep 0.2; echo over', {
      timeoutMs: 60_000,
    })
    await waitUntil('it has begun', () => send.progress().lastLine === '' && terminal.read().text.includes('begun'))
    send.release?.('moved to the background')
    const outcome = await send.outcome
    expect(outcome).toMatchObject({
      kind: 'settled',
      result: { waitReason: expect.stringMatching(/timeout|stdin_read/), viewport: { text: 'begun\n' } },
    })
    const next = await terminal.send('x')
    expect(next).toMatchObject({ state: 'prompt', exitCode: 0 })
    expect(next.viewport.text).toContain('got x\nover')
  })

  it('says so while the program works', async () => {
    const send = terminal.start('sleep 0.6; echo late', { timeoutMs: 60_000 })
    await waitUntil('it sleeps', () => terminal.summary.foreground === 'sleep')
    send.release?.('moved to the background')
    expect(await send.outcome).toMatchObject({
      kind: 'settled',
      result: { waitReason: 'timeout', notes: expect.arrayContaining(['moved to the background']) },
    })
    expect(await terminal.send('', { submit: false })).toMatchObject({ state: 'prompt', viewport: { text: 'late\n' } })
  })
})
