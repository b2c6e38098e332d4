import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { createInspector } from '../../src/inspector/index.js'
import { startBash } from '../support/pty-program.js'

/** A `ps` that answers from a table and records how it was asked. */
function createPs(rows: readonly string[]) {
  const calls: (readonly string[])[] = []
  const runPs = async (args: readonly string[]) => {
    calls.push(args)
    const at = args.indexOf('-p')
    const chosen = at < 0 ? rows : rows.filter((row) => row.trim().startsWith(`${args[at + 1]} `))
    return chosen.join('\n')
  }
  return { runPs, calls }
}

const SHELL = '100 1 100 200 Ss 0:00.05 Sun Nov 29 20:26:24 2026 ttys003 /bin/bash'
const openDarwin = (rows: readonly string[], ttyPath: string | undefined = '/dev/ttys003') => {
  const { runPs, calls } = createPs(rows)
  return { calls, inspector: createInspector({ platform: 'darwin', arch: 'arm64', rootPid: 100, ttyPath, runPs }) }
}

describe('the macOS inspector', () => {
  it.each([
    ['R+', 'running'],
    ['I+', 'sleeping'],
    ['S+', 'sleeping'],
    ['U+', 'uninterruptible'],
    ['T+', 'stopped'],
    ['Z+', 'zombie'],
    ['?', 'unknown'],
  ])('reads the state %s as %s', async (state, expected) => {
    const { inspector } = openDarwin([SHELL, `200 100 200 200 ${state} 0:01.00 Sun Nov 29 20:26:25 2026 ttys003 cat`])
    expect((await inspector.inspect())?.members.map((member) => member.state)).toEqual([expected])
  })

  it('names the foreground group and its members, and claims no proof of waits', async () => {
    const { inspector, calls } = openDarwin([
      SHELL,
      '200 100 200 200 S+ 0:01.00 Sun Nov 29 20:26:25 2026 ttys003 /usr/bin/python3',
      '201 200 200 200 U+ 0:00.00 Sun Nov 29 20:26:26 2026 ttys003 cat',
      '300 100 300 200 T 0:00.00 Sun Nov 29 20:26:27 2026 ttys003 vim',
    ])
    expect(await inspector.inspect()).toEqual({
      pgid: 200,
      isTopLevel: false,
      waits: [],
      waitsKnown: false,
      members: [
        {
          identity: { pid: 200, startTime: 'Sun Nov 29 20:26:25 2026' },
          command: 'python3',
          state: 'sleeping',
          cpuMs: 1000,
        },
        {
          identity: { pid: 201, startTime: 'Sun Nov 29 20:26:26 2026' },
          command: 'cat',
          state: 'uninterruptible',
          cpuMs: 0,
        },
      ],
    })
    expect(calls).toHaveLength(1)
    expect(calls[0]).toEqual(expect.arrayContaining(['-t', 'ttys003']))
    expect(inspector.sources).toMatchObject({ inspector: 'darwin', foreground: true, ttyWaits: false })
  })

  it('asks for the terminal’s name when it was not told', async () => {
    const { runPs, calls } = createPs([SHELL])
    const inspector = createInspector({ platform: 'darwin', arch: 'arm64', rootPid: 100, ttyPath: undefined, runPs })
    expect(await inspector.inspect()).toMatchObject({ pgid: 200 })
    expect(calls.map((args) => args.slice(2))).toEqual([
      ['-p', '100'],
      ['-t', 'ttys003'],
    ])
  })

  it.each([
    ['has not started its session', '100 1 50 50 S 0:00.00 Sun Nov 29 20:26:24 2026 ttys001 node'],
    ['has no foreground', '100 1 100 0 Ss 0:00.00 Sun Nov 29 20:26:24 2026 ttys003 bash'],
    ['has gone', '101 1 101 101 Ss 0:00.00 Sun Nov 29 20:26:24 2026 ttys003 bash'],
  ])('answers nothing while the process %s', async (_title, row) => {
    const { inspector } = openDarwin([row])
    expect(await inspector.foregroundGroup()).toBeUndefined()
    expect(await inspector.inspect()).toBeUndefined()
  })

  it('asks nothing after close', async () => {
    const { inspector, calls } = openDarwin([SHELL])
    inspector.close()
    expect(await inspector.foregroundGroup()).toBeUndefined()
    expect(calls).toEqual([])
  })
})

describe('the macOS inspector over the real ps', () => {
  useBaseline()

  it('names the foreground group of a real terminal', async () => {
    const bash = await startBash()
    const inspector = createInspector({
      platform: 'darwin',
      arch: 'arm64',
      rootPid: bash.pid,
      ttyPath: bash.ttyPath,
    })
    expect(await inspector.inspect()).toMatchObject({ pgid: bash.pid, isTopLevel: true })
    bash.write('sleep 50 | cat\r')
    await waitUntil('both programs are seen', async () => (await inspector.inspect())?.members.length === 2)
    expect(await inspector.inspect()).toMatchObject({ isTopLevel: false, waitsKnown: false })
    await bash.end()
    expect(await inspector.inspect()).toBeUndefined()
  })
})

describe('the inspector of an unknown platform', () => {
  it('answers that it cannot tell', async () => {
    const inspector = createInspector({ platform: 'sunos', arch: 'x64', rootPid: 1, ttyPath: undefined })
    expect(await inspector.foregroundGroup()).toBeUndefined()
    expect(await inspector.inspect()).toBeUndefined()
    expect(inspector.sources).toMatchObject({ inspector: 'unknown', foreground: false, ttyWaits: false })
    expect(inspector.sources.notes[0]).toContain('sunos')
  })
})
