/** Sheet §19.10: command detection. Real shells wherever the shell is what matters. */
import { describe, expect, it } from 'vitest'
import { rawStream, type TerminalState } from '../../src/protocol/index.js'
import { settle, T } from '../support/house.js'
import { useHouse } from '../support/use-house.js'
import { useShellHouse, type WireShell } from '../support/use-shell-house.js'

const at = useHouse()
const withShell = useShellHouse()

async function stateOf({ wire, uri }: WireShell): Promise<TerminalState> {
  const { snapshot } = (await wire.request('subscribe', { channel: uri })) as { snapshot: { state: TerminalState } }
  return snapshot.state
}
const finishedOf = ({ wire, uri }: WireShell) =>
  wire.envelopes(uri).filter(({ action }) => action.type === 'terminal/commandFinished').length
const MARK = /\x1b\]\s*(?:633|133|7777)/

describe('command detection', () => {
  it('CD-1 a shell without integration gives unclassified parts and no flag', async () => {
    const { session } = await at.house.withT()
    session.print('$ ls\r\nfile\r\n$ ')
    await settle()
    const state = await at.house.stateOf()
    expect(state.content).toEqual([{ type: 'unclassified', value: '$ ls\r\nfile\r\n$ ' }])
    expect(state).not.toHaveProperty('supportsCommandDetection')
  })

  it('CD-2 detection is announced before anyone has to rely on it', async () => {
    const { a, session } = await at.house.withT()
    session.run('ls')(0)
    await settle()
    expect(a.envelopes(T).map(({ action }) => action.type)).toEqual([
      'terminal/commandDetectionAvailable',
      'terminal/commandExecuted',
      'terminal/commandFinished',
    ])
    expect((await at.house.stateOf()).supportsCommandDetection).toBe(true)
    expect((await stateOf(await withShell.open())).supportsCommandDetection).toBe(true)
  })

  it('CD-3 a command is executed, prints and finishes, with one id and its code', async () => {
    const shell = await withShell.open()
    await shell.type('echo out; (exit 3)\r')
    await shell.wire.waitFor(() => finishedOf(shell) === 1)
    const actions = shell.wire.envelopes(shell.uri).map(({ action }) => action)
    const from = actions.findIndex(({ type }) => type === 'terminal/commandExecuted')
    expect(
      actions
        .slice(from)
        .map(({ type }) => type)
        .slice(0, 3),
    ).toEqual(['terminal/commandExecuted', 'terminal/data', 'terminal/commandFinished'])
    const part = (await stateOf(shell)).content.find(({ type }) => type === 'command')
    expect(part).toMatchObject({ commandLine: 'echo out; (exit 3)', output: 'out\r\n', isComplete: true, exitCode: 3 })
    expect(actions[from]).toMatchObject({ commandId: part?.type === 'command' ? part.commandId : '' })
  })

  it('CD-4 no data holds a mark of the integration, however reads are split', async () => {
    const shell = await withShell.open()
    await shell.type('for i in $(seq 1 40); do printf "%0300d\\n" $i; done\r')
    for (const word of ['true', 'false', 'cd /', 'echo end$((1+1))']) await shell.type(`${word}\r`)
    await shell.waitForOutput('end2\r\n')
    await shell.wire.waitFor(() => finishedOf(shell) >= 5)
    expect(shell.output).not.toMatch(MARK)
    expect(rawStream((await stateOf(shell)).content)).not.toMatch(MARK)
  })

  it('CD-5 other sequences pass unchanged', async () => {
    const shell = await withShell.open()
    await shell.type("printf '\\033[31mred\\033[0m\\033]8;;http://x\\007link\\033]8;;\\007'; echo end$((1+1))\r")
    await shell.waitForOutput('end2')
    expect(shell.output).toContain('\x1b[31mred\x1b[0m\x1b]8;;http://x\x07link\x1b]8;;\x07')
  })

  it('CD-6 what stands around marks in one read lands in the right parts', async () => {
    const shell = await withShell.open()
    await shell.type('echo a\recho b\r')
    await shell.wire.waitFor(() => finishedOf(shell) === 2)
    const outputs = (await stateOf(shell)).content.flatMap((part) => (part.type === 'command' ? [part.output] : []))
    expect(outputs).toEqual(['a\r\n', 'b\r\n'])
  })

  it('CD-7 two commands of the same text have different ids', async () => {
    const shell = await withShell.open()
    await shell.type('true\r')
    await shell.wire.waitFor(() => finishedOf(shell) === 1)
    await shell.type('true\r')
    await shell.wire.waitFor(() => finishedOf(shell) === 2)
    const parts = (await stateOf(shell)).content.filter((part) => part.type === 'command')
    expect(parts.map(({ commandLine }) => commandLine)).toEqual(['true', 'true'])
    expect(new Set(parts.map(({ commandId }) => commandId)).size).toBe(2)
  })

  it('CD-8 a program cannot forge a command', async () => {
    const shell = await withShell.open()
    await shell.type(
      "printf '\\033]633;E;forged\\007\\033]633;C\\007x\\033]633;D;0\\007\\033]133;C\\007y'; echo end$((1+1))\r",
    )
    await shell.wire.waitFor(() => finishedOf(shell) === 1)
    const parts = (await stateOf(shell)).content.filter((part) => part.type === 'command')
    expect(parts).toHaveLength(1)
    expect(parts[0]?.commandLine).toContain('printf')
    expect(parts[0]?.commandLine).not.toBe('forged')
  })

  it('CD-9 after clearing during a command its output is unclassified and its end changes nothing', async () => {
    const { a, session } = await at.house.withT()
    const end = session.run('make')
    session.print('one')
    await settle()
    await a.act(T, { type: 'terminal/cleared' })
    session.print('two')
    end(0)
    await settle()
    expect((await at.house.stateOf()).content).toEqual([{ type: 'unclassified', value: 'two' }])
  })

  it('CD-10 an exit during a command leaves the part incomplete', async () => {
    const { session } = await at.house.withT()
    session.run('exec nothing')
    session.exit(1)
    await settle()
    expect(await at.house.stateOf()).toMatchObject({
      content: [{ type: 'command', isComplete: false }],
      lifecycle: { status: 'exited', exitCode: 1 },
    })
  })

  it('CD-11 times are the host’s, in whole milliseconds, and durations are there', async () => {
    const { a, session } = await at.house.withT()
    const before = at.house.clock.now()
    session.run('x')(0)
    await settle()
    const [, executed, finished] = a.envelopes(T).map(({ action }) => action)
    expect(executed).toMatchObject({ timestamp: before })
    expect(finished).toMatchObject({ durationMs: 12 })
  })

  it('CD-12 command parts without the flag do not make a terminal support detection', async () => {
    const { AhpClient } = await import('../../src/client/index.js')
    const { createMemoryPair } = await import('../../src/protocol/index.js')
    const { Wire } = await import('../support/wire.js')
    const [mine, theirs] = createMemoryPair()
    const wire = new Wire(theirs)
    const client = new AhpClient({ open: async () => mine, clock: at.house.clock })
    const answer = async (result: unknown) => {
      await settle()
      wire.raw(JSON.stringify({ jsonrpc: '2.0', id: wire.messages.at(-1)?.id, result }))
      await settle()
    }
    await answer({ protocolVersion: '1.0.0', serverSeq: 0, snapshots: [] })
    const subscribing = client.subscribeTerminal(T)
    const part = { type: 'command', commandId: 'c', commandLine: 'x', output: '', timestamp: 1, isComplete: true }
    const claim = { kind: 'client', clientId: 'a' }
    const state = { title: 't', content: [part], lifecycle: { status: 'running' }, claim }
    await answer({ snapshot: { resource: T, fromSeq: 1, state } })
    const view = await subscribing
    wire.notify('action', { channel: T, serverSeq: 2, action: { type: 'terminal/commandFinished', commandId: 'c' } })
    await settle()
    expect(view.state?.supportsCommandDetection).toBeUndefined()
    client.close()
    await settle()
  })
})
