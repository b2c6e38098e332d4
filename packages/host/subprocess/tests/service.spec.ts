import { isAlive, useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collectOutput, createSpec, type OpenedSubprocess, openSubprocess } from './open-subprocess.js'

useBaseline()

let opened: OpenedSubprocess
beforeEach(async () => {
  opened = await openSubprocess()
})
afterEach(() => opened.dispose())

describe('spawnTerminal', () => {
  it('runs a program on a terminal and reports how it ended', async () => {
    const terminal = await opened.service.spawnTerminal(
      createSpec(['/bin/bash', '-c', 'tty; echo "$TERM"; pwd; exit 3'], { cwd: '/usr' }),
    )
    const output = collectOutput(terminal)
    expect(await terminal.exited).toEqual({ kind: 'code', code: 3 })
    expect(terminal.exit).toEqual({ kind: 'code', code: 3 })
    expect(output.text()).toBe(`${terminal.ttyPath}\r\ndumb\r\n/usr\r\n`)
  })

  it('answers a line typed into cat', async () => {
    const terminal = await opened.service.spawnTerminal(createSpec(['/bin/cat']))
    const output = collectOutput(terminal)
    await terminal.write('hello\r')
    await output.waitForText(/hello\r\nhello/)
    const look = await terminal.inspect()
    expect(look?.pgid).toBe(terminal.pid)
    expect(await terminal.foregroundGroup()).toBe(terminal.pid)
    expect(await terminal.terminate({ graceMs: 1_000 })).toEqual({ ended: 0, forced: false })
    expect(isAlive(terminal.pid)).toBe(false)
  })
})
