import type { SubprocessService, SubprocessTerminal } from '@agent-terminals/subprocess/contract'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/session/clock.js'
import { type BackendHarness, type OpenOptions, sendTo, startBackendHarness } from '../support/backend.js'

useBaseline()

type Handle = Partial<SubprocessTerminal>

/** A real shell behind a handle of which some calls fail, once `begin` was called. */
class FaultyHouse {
  private isFaulty = false

  constructor(
    private readonly base: SubprocessService,
    private readonly faults: (handle: SubprocessTerminal) => Handle,
  ) {}

  begin(): void {
    this.isFaulty = true
  }

  end(): void {
    this.isFaulty = false
  }

  get subprocess(): SubprocessService {
    const { base } = this
    return {
      environment: () => base.environment(),
      resolveExecutable: (name) => base.resolveExecutable(name),
      spawnTerminal: async (spec) => this.wrap(await base.spawnTerminal(spec)),
    }
  }

  private wrap(handle: SubprocessTerminal): SubprocessTerminal {
    const faults = this.faults(handle)
    return new Proxy(handle, {
      get: (target, key) => {
        const fault: unknown = this.isFaulty ? Reflect.get(faults, key) : undefined
        if (fault !== undefined) return fault
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
}

const never = () => new Promise<never>(() => {})
const broken = () => Promise.reject(new Error('procfs has gone'))

describe('a session over a host that fails', () => {
  let harness: BackendHarness
  const closers: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    harness = await startBackendHarness()
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })
  afterAll(() => harness.close())

  const open = (faults: (handle: SubprocessTerminal) => Handle, options: OpenOptions = {}) =>
    openIn(new FaultyHouse(harness.subprocess, faults), options)
  /** Faulty from the start. */
  const openFaulty = (faults: (handle: SubprocessTerminal) => Handle) => {
    const house = new FaultyHouse(harness.subprocess, faults)
    house.begin()
    return openIn(house, {})
  }
  const openIn = async (house: FaultyHouse, options: OpenOptions) => {
    const session = await harness.open({
      ...options,
      config: { cancelGraceMs: 200, idleSilenceMs: 300, ...options.config },
      subprocess: house.subprocess,
    })
    closers.push(() => {
      house.end()
      return session.close()
    })
    return { house, session }
  }

  it('returns at its time limit when a write never settles, says what was not taken, and can be closed', async () => {
    const { house, session } = await open(() => ({ write: never, pendingInputBytes: 8 }), {
      config: { idleSilenceMs: 3_000 },
    })
    house.begin()
    const result = await sendTo(session, 'echo one', { timeoutMs: 300 })
    expect(result).toMatchObject({ waitReason: 'timeout', pendingInputBytes: 8 })
    house.end()
    expect(await session.close()).toEqual({ killed: true })
  })

  it('settles a cancel of a write that never settles', async () => {
    const { house, session } = await open(() => ({ write: never }))
    await sendTo(session, 'cat', { timeoutMs: 2_000 })
    house.begin()
    const send = session.send({ text: 'half a line', submit: false })
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setTimeout(resolve, 50))
    send.cancel('no')
    expect(await send.outcome).toMatchObject({ kind: 'cancelled', reason: 'no' })
    house.end()
    expect(await sendTo(session, 'echo on')).toMatchObject({ viewport: { text: 'on\n' }, exitCode: 0 })
  })

  it('shows nothing of the acknowledgement of an exit that the kernel echoes', async () => {
    let show: (chunk: Uint8Array) => void = () => {}
    const { session } = await openFaulty((handle) => ({
      write: (data) => {
        if (data === '\x06') show(new TextEncoder().encode('^F'))
        return handle.write(data)
      },
      onOutput: (listener) => {
        show = listener
        return handle.onOutput(listener)
      },
    }))
    const result = await sendTo(session, 'echo "^F"; exit 4')
    expect(result).toMatchObject({ sessionStatus: { kind: 'exited', exitCode: 4 }, viewport: { text: '^F\nexit\n' } })
  })

  it('fails the send whose write is refused, and the next one works', async () => {
    const { house, session } = await open(() => ({ write: () => Promise.reject(new Error('the device is broken')) }))
    house.begin()
    const outcome = await session.send({ text: 'echo one', submit: true }).outcome
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: { message: expect.stringContaining('the device is broken') },
    })
    house.end()
    expect(await sendTo(session, 'echo two')).toMatchObject({ viewport: { text: 'two\n' } })
  })

  it.each([
    ['throws', broken],
    ['never answers', never],
  ])('goes by prompt marks when the inspector %s', async (_how, fault) => {
    const { house, session } = await open(() => ({ inspect: fault, foregroundGroup: fault, attributes: fault }))
    house.begin()
    expect(await sendTo(session, 'echo one; (exit 3)')).toMatchObject({
      viewport: { text: 'one\n' },
      state: 'prompt',
      exitCode: 3,
    })
    expect(await sendTo(session, 'echo up; sleep 1; echo down', { timeoutMs: 10_000 })).toMatchObject({
      viewport: { text: expect.stringContaining('up\n') },
    })
  })

  it('delivers no signal on a guess when the inspector throws, and says so with a code', async () => {
    const { house, session } = await open((handle) => ({
      inspect: broken,
      foregroundGroup: broken,
      signalForeground: (signal) =>
        Object.assign(broken(), { signal, pid: handle.pid }) as Promise<{ readonly pgid: number }>,
    }))
    const send = session.send({ text: 'sleep 60', submit: true })
    house.begin()
    await expect(session.signal('SIGTERM')).rejects.toMatchObject({ code: 'NO_FOREGROUND' })
    house.end()
    send.cancel('enough')
    expect((await send.outcome).kind).toBe('cancelled')
  })

  it('keeps its verdicts when the wall clock jumps', async () => {
    const { session } = await open(() => ({}))
    const { now } = Date
    try {
      for (const jumpMs of [86_400_000, -86_400_000]) {
        const send = session.send({ text: 'sleep 0.1; echo done', submit: true })
        Date.now = () => now() + jumpMs
        const outcome = await send.outcome
        expect(outcome).toMatchObject({
          kind: 'settled',
          result: { viewport: { text: 'done\n' }, waitReason: 'stdin_read', exitCode: 0 },
        })
        if (outcome.kind === 'settled') expect(outcome.result.durationMs).toBeLessThan(60_000)
      }
    } finally {
      Date.now = now
    }
  })

  it('settles, and stays usable, when its own clock leaps ahead as after a suspend', async () => {
    let leapMs = 0
    const clock = { ...systemClock, now: () => systemClock.now() + leapMs }
    const { session } = await open(() => ({}), { clock })
    const send = session.send({
      text: 'echo up; sleep 0.3; echo down',
      submit: true,
      onOutput: () => {
        leapMs = 3_600_000
      },
    })
    const outcome = await send.outcome
    // An hour has passed, as far as it can know: that is no proof of anything, and the result must not say so.
    expect(outcome.kind === 'settled' && outcome.result.waitReason).toMatch(/^(timeout|inferred_idle)$/)
    await sendTo(session, '', { submit: false })
    expect(await sendTo(session, 'echo next')).toMatchObject({ viewport: { text: 'next\n' }, exitCode: 0 })
  })
})
