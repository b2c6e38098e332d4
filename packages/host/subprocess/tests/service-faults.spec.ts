/** The service with a PTY layer that fails in chosen ways. */
import { describe, expect, it } from 'vitest'
import { Config } from '../src/config.js'
import type { TerminationReport } from '../src/contract.js'
import { SubprocessHost, type SubprocessWorld } from '../src/service.js'
import type { OpenPty, PtyEvents, PtyRequest } from '../src/terminal/device.js'
import type { ProcessSide } from '../src/terminal/process-side.js'
import { createSpec } from './open-subprocess.js'

/** Records what the service asks of a device and hands out the events. */
function createRecorder() {
  const calls: string[] = []
  const opened: { readonly request: PtyRequest; readonly events: PtyEvents }[] = []
  const openPty: OpenPty = (request, events) => {
    opened.push({ request, events })
    return {
      pid: 4_000_000 + opened.length,
      ttyPath: '/dev/pts/99',
      pause: () => calls.push('pause'),
      resume: () => calls.push('resume'),
      write: (bytes) => bytes.byteLength,
      resize: ({ columns, rows }) => calls.push(`resize ${columns}x${rows}`),
      close: () => calls.push('close'),
    }
  }
  return { calls, opened, openPty }
}

const report: TerminationReport = { ended: 0, forced: false }

function createProcessSide(terminate: ProcessSide['terminate']): ProcessSide {
  return {
    sources: { inspector: 'unknown', foreground: false, ttyWaits: false, attributes: false, notes: [] },
    foregroundGroup: async () => 1,
    inspect: async () => undefined,
    attributes: async () => undefined,
    workingDirectory: async () => undefined,
    signalForeground: async () => ({ pgid: 1 }),
    members: async () => [],
    terminate,
    close: () => {},
  }
}

function createHost(world: Partial<SubprocessWorld>) {
  const errors: unknown[] = []
  const host = new SubprocessHost(Config.parse({}), {
    platform: 'linux',
    hostTag: 'host',
    openPty: createRecorder().openPty,
    createTag: () => 'tag',
    readHostEnvironment: () => ({ PATH: '/usr/bin:/bin', SECRET_KEY: 'x' }),
    createProcessSide: () => createProcessSide(async () => report),
    readPtyFacts: () => ({ device: '/dev/ptmx', deviceErrorCode: 'ENOSPC', usedPtys: 7, maxPtys: 7 }),
    reportError: (error) => errors.push(error),
    ...world,
  })
  return { host, errors }
}

const spec = createSpec(['/bin/cat', '-u'])

describe('a PTY that cannot be had', () => {
  it('is an error with reason, device and advice, never a pipe', async () => {
    const cause = new Error('forkpty(3) failed.')
    const { host } = createHost({
      openPty: () => {
        throw cause
      },
    })
    const failure = host.spawnTerminal(spec)
    await expect(failure).rejects.toMatchObject({ code: 'PTY_UNAVAILABLE', cause })
    await expect(failure).rejects.toThrow(
      'opening /dev/ptmx fails with ENOSPC: all PTYs are in use (7 of 7 on this machine)',
    )
  })
})

describe('a terminal', () => {
  it('is asked for with a complete request', async () => {
    const { opened, openPty } = createRecorder()
    const { host } = createHost({ openPty })
    await host.spawnTerminal({ ...spec, env: { GIVEN: 'yes', AGENT_TERMINALS_TAG: 'forged', PATH: undefined } })
    expect(opened[0]?.request).toEqual({
      file: '/bin/cat',
      args: ['-u'],
      cwd: '/',
      size: { columns: 80, rows: 24 },
      env: { GIVEN: 'yes', PWD: '/', TERM: 'dumb', AGENT_TERMINALS_TAG: 'tag', AGENT_TERMINALS_HOST: 'host' },
    })
  })

  it('gives the device up when its processes cannot be taken up', async () => {
    const { calls, openPty } = createRecorder()
    const { host } = createHost({
      openPty,
      createProcessSide: () => {
        throw new Error('no identity')
      },
    })
    await expect(host.spawnTerminal(spec)).rejects.toThrow('no identity')
    expect(calls).toEqual(['close'])
    await host.dispose()
  })

  it.each([
    ['linux', 4096],
    ['darwin', 1024],
  ])('knows the longest line of a canonical reader on %s', async (platform, bytes) => {
    const { host } = createHost({ platform })
    expect((await host.spawnTerminal(spec)).maxCanonicalBytes).toBe(bytes)
  })

  it('settles its exit after the last chunk has been handed over', async () => {
    const { opened, openPty } = createRecorder()
    const { host } = createHost({ openPty })
    const terminal = await host.spawnTerminal(spec)
    const order: string[] = []
    terminal.onOutput((chunk) => order.push(String(chunk)))
    void terminal.exited.then(() => order.push('exited'))
    opened[0]?.events.handleData(Buffer.from('one'))
    opened[0]?.events.handleData(Buffer.from('two'))
    opened[0]?.events.handleExit({ kind: 'code', code: 0 })
    await terminal.exited
    expect(order).toEqual(['one', 'two', 'exited'])
  })
})

describe('termination', () => {
  it('resolves only after the exit has been seen', async () => {
    const { opened, openPty } = createRecorder()
    const { host } = createHost({ openPty })
    const terminal = await host.spawnTerminal(spec)
    let isSettled = false
    const termination = terminal.terminate({ graceMs: 1 }).then(() => {
      isSettled = true
    })
    await new Promise(setImmediate)
    expect(isSettled).toBe(false)
    opened[0]?.events.handleExit({ kind: 'signal', signal: 'SIGHUP' })
    await termination
  })

  it('can be tried again after a failure', async () => {
    const { opened, openPty } = createRecorder()
    let attempts = 0
    const { host } = createHost({
      openPty,
      createProcessSide: () =>
        createProcessSide(async () => {
          attempts++
          if (attempts === 1) throw new Error('survivors')
          return report
        }),
    })
    const terminal = await host.spawnTerminal(spec)
    await expect(terminal.terminate({ graceMs: 1 })).rejects.toThrow('survivors')
    opened[0]?.events.handleExit({ kind: 'code', code: 0 })
    expect(await terminal.terminate({ graceMs: 1 })).toEqual(report)
  })
})

describe('disposal', () => {
  it('reports all failures together, gives those devices up and fails their input', async () => {
    const { calls, openPty } = createRecorder()
    let count = 0
    const { host, errors } = createHost({
      openPty: (request, events) => ({ ...openPty(request, events), write: () => 0 }),
      createProcessSide: () => {
        const message = `survivor ${++count}`
        return createProcessSide(async () => {
          throw new Error(message)
        })
      },
    })
    const terminal = await host.spawnTerminal(spec)
    await host.spawnTerminal(spec)
    const write = expect(terminal.write('waiting')).rejects.toMatchObject({ code: 'DISPOSED' })
    await host.dispose()
    await write
    expect(calls).toEqual(['close', 'close'])
    expect(errors).toEqual([host.disposalFailure])
    expect(host.disposalFailure?.errors.map(String)).toEqual(['Error: survivor 1', 'Error: survivor 2'])
  })

  it('has nothing to report when everything ended', async () => {
    const { opened, openPty } = createRecorder()
    const { host, errors } = createHost({ openPty })
    await host.spawnTerminal(spec)
    opened[0]?.events.handleExit({ kind: 'code', code: 0 })
    await host.dispose()
    expect(errors).toEqual([])
    expect(host.disposalFailure).toBeUndefined()
  })
})
