import { isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXIT_ACKNOWLEDGEMENT } from '../../src/core/shell/events.js'
import { type DrivenShell, openShellHost, type ShellHost } from './open-shell.js'

useBaseline()

let host: ShellHost
beforeAll(async () => {
  host = await openShellHost()
})
afterAll(() => host.dispose())

const CTRL_D = '\x04'

interface Leaving {
  readonly how: string
  readonly setup?: readonly string[]
  readonly line: string
  readonly code: number
  /** What the mark tells; nothing when the user's own trap ran before ours. */
  readonly told?: number | undefined
  readonly prints?: string
}

const LEAVINGS: readonly Leaving[] = [
  { how: 'exit with a code', line: 'exit 42', code: 42 },
  { how: 'exit in a function', setup: ['f() { exit 7; }'], line: 'f', code: 7 },
  { how: 'a failure under set -e', setup: ['set -e'], line: 'false', code: 1 },
  { how: 'exit under set -eu', setup: ['set -euo pipefail'], line: 'exit 3', code: 3 },
  { how: 'exit in POSIX mode', setup: ['set -o posix'], line: 'exit 4', code: 4 },
  {
    how: 'exit after a trap of the user',
    setup: ["trap 'echo bye' EXIT"],
    line: 'exit 5',
    code: 5,
    told: undefined,
    prints: 'bye',
  },
  {
    how: 'exit after a trap with quotes and a comment',
    setup: [`trap "echo \\"it's so\\" # gone" EXIT`],
    line: 'exit 6',
    code: 6,
    told: undefined,
    prints: "it's so",
  },
  {
    how: 'exit after a trap that was sourced',
    setup: [`. /dev/stdin <<'END'\ntrap 'echo sourced' 0\nEND`],
    line: 'exit 8',
    code: 8,
    told: undefined,
    prints: 'sourced',
  },
  {
    how: 'exit after a trap that was removed',
    setup: ["trap 'echo bye' EXIT", 'trap - EXIT'],
    line: 'exit 9',
    code: 9,
  },
]

for (const level of ['auto', '3.2'] as const) {
  describe(`bash ${level === 'auto' ? 'as it is' : 'with the means of 3.2'}`, () => {
    it.each(LEAVINGS)('says that it leaves by $how', async ({ setup = [], line, code, prints, ...rest }) => {
      const shell = await host.open({ level })
      for (const each of setup) await shell.run(each)
      const shown = shell.raw.length
      await shell.type(line)
      await expect(shell.terminal.exited).resolves.toEqual({ kind: 'code', code })
      expect(shell.events.at(-1)).toEqual({ kind: 'exiting', exitCode: 'told' in rest ? rest.told : code })
      expect(shell.tracking.phase.kind).toBe('exiting')
      if (prints !== undefined) expect(shell.raw.slice(shown)).toContain(`\n${prints}\r\n`)
      await shell.close()
    })
  })
}

describe('a leaving shell', () => {
  it('says that it leaves at the end of input', async () => {
    const shell = await host.open()
    await shell.terminal.write(CTRL_D)
    await expect(shell.terminal.exited).resolves.toEqual({ kind: 'code', code: 0 })
    expect(shell.events.at(-1)).toEqual({ kind: 'exiting', exitCode: 0 })
    await shell.close()
  })

  it('waits for the acknowledgement and takes nothing else for it', async () => {
    const shell = await host.open({ holdsExit: true })
    await shell.type('exit 2')
    await shell.waitFor(() => shell.events.at(-1)?.kind === 'exiting')
    await shell.terminal.write('echo late\r')
    expect(isAlive(shell.terminal.pid)).toBe(true)
    await shell.terminal.write(EXIT_ACKNOWLEDGEMENT)
    await expect(shell.terminal.exited).resolves.toEqual({ kind: 'code', code: 2 })
    await shell.close()
  })

  it('leaves in the end when nobody answers', async () => {
    const shell = await host.open({ holdsExit: true })
    await shell.type('exit 2')
    await expect(shell.terminal.exited).resolves.toEqual({ kind: 'code', code: 2 })
    await shell.close()
  })

  it('is not announced by a subshell, a nested bash or a command substitution', async () => {
    const shell = await host.open()
    await shell.run('( exit 3 ); bash --norc -c "exit 4"; x=$(exit 5); (exit 6) & wait')
    expect(shell.events.filter(({ kind }) => kind === 'exiting')).toEqual([])
    await shell.close()
  })

  it('keeps everything it printed before', async () => {
    for (let round = 0; round < 10; round++) {
      const shell = await host.open()
      await shell.type(round % 2 === 0 ? 'seq 1 100000; exit' : "printf '%020000d\\n' 7; exit")
      await shell.terminal.exited
      expect(shell.raw).toContain(
        round % 2 === 0 ? '\n99999\r\n100000\r\nexit\r\n' : `${'0'.repeat(19_999)}7\r\nexit\r\n`,
      )
      await shell.close()
    }
  })
})

describe('a shell that is hung up', () => {
  it('asks for the acknowledgement as in any other end', async () => {
    const shell = await host.open()
    await hangUp(shell)
    await expect(shell.terminal.exited).resolves.toEqual({ kind: 'signal', signal: 'SIGHUP' })
    expect(shell.events.at(-1)?.kind).toBe('exiting')
    await shell.close()
  })

  it('is ended by a second hang-up while it waits', async () => {
    const shell = await host.open({ holdsExit: true })
    await shell.type('exit')
    await shell.waitFor(() => shell.events.at(-1)?.kind === 'exiting')
    await hangUp(shell)
    await expect(shell.terminal.exited).resolves.toEqual({ kind: 'signal', signal: 'SIGHUP' })
    await shell.close()
  })
})

/** A hang-up within microseconds of the prompt is missed now and then, so it is repeated. */
async function hangUp(shell: DrivenShell): Promise<void> {
  await waitUntil('the shell has ended', () => {
    if (shell.terminal.exit !== undefined) return true
    try {
      process.kill(shell.terminal.pid, 'SIGHUP')
    } catch {
      // It has ended, and its end has not been reported yet.
    }
    return false
  })
}
