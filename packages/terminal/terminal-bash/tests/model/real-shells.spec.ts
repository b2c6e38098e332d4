/** Random lives of real shells: whatever happens in whatever order, every promise settles and nothing is left or hit. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import * as subprocess from '@agent-terminals/subprocess'
import type { OpenedSession, TerminalOwner, TerminalSend, TerminalSignal } from '@agent-terminals/terminal'
import * as terminal from '@agent-terminals/terminal'
import { isAlive, useBaseline } from '@agent-terminals/testing'
import { Context } from '@deepseek-ai/cordis'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as terminalBash from '../../src/index.js'
import { OPEN_POLICY } from '../support/backend.js'
import { type ShellHost, startShellHost, type Terminal } from '../support/shell-host.js'

useBaseline()

const TEXTS = [
  'echo hi',
  'sleep 641',
  'sleep 642 &',
  'setsid sleep 643 &',
  'nohup sleep 644 >/dev/null 2>&1 & disown',
  `(trap '' INT TERM; exec sleep 645)`,
  'cat',
  'read line',
  'kill -STOP $$',
  'exit 3',
  'while :; do :; done',
] as const
const SIGNALS: readonly TerminalSignal[] = ['SIGINT', 'SIGTERM', 'SIGTSTP', 'SIGKILL', 'SIGHUP']

/** Live processes that carry the tag of a host. */
function listTagged(tag: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const isZombie = /^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
      return !isZombie && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(tag)
    } catch {
      return false
    }
  })
}

class World {
  readonly sessions: { readonly owner: TerminalOwner; readonly opened: OpenedSession }[] = []
  readonly sends: TerminalSend[] = []
  readonly openings: AbortController[] = []
  private readonly given: Promise<unknown>[] = []

  private constructor(
    readonly ctx: Context,
    private readonly owners: readonly TerminalOwner[],
  ) {}

  static async create(): Promise<World> {
    const ctx = new Context()
    ctx.provide('sandboxPolicy', OPEN_POLICY)
    await ctx.plugin(subprocess, subprocess.Config.parse({}))
    await ctx.plugin(terminal, terminal.Config.parse({}))
    await ctx.plugin(
      terminalBash,
      terminalBash.Config.parse({ cancelGraceMs: 100, disposeGraceMs: 200, timeoutMs: 500 }),
    )
    return new World(
      ctx,
      ['a', 'b'].map((id) => ({ id, ctx, cwd: '/' })),
    )
  }

  open(index: number): Promise<unknown> {
    const owner = this.owners[index % this.owners.length]
    if (owner === undefined) return Promise.resolve()
    const opening = new AbortController()
    this.openings.push(opening)
    return this.give(
      this.ctx.terminals
        .spawn(owner, { type: 'shell', signal: opening.signal })
        .then((opened) => this.sessions.push({ owner, opened })),
    )
  }

  send(index: number, text: string): void {
    this.withSession(index, (owner, id) => {
      const send = this.ctx.terminals.send(owner, id, { text, submit: true })
      this.sends.push(send)
      this.give(send.outcome)
    })
  }

  signal(index: number, signal: TerminalSignal): void {
    this.withSession(index, (owner, id) => void this.give(this.ctx.terminals.signal(owner, id, signal)))
  }

  close(index: number): void {
    this.withSession(index, (owner, id) => void this.give(this.ctx.terminals.close(owner, id)))
  }

  release(index: number): void {
    const owner = this.owners[index % this.owners.length]
    if (owner !== undefined) this.give(this.ctx.terminals.releaseOwner(owner))
  }

  /** Everything has been given an answer once this resolves. */
  async end(): Promise<void> {
    await this.ctx.fiber.dispose()
    await Promise.all(this.given)
  }

  private give(promise: Promise<unknown>): Promise<unknown> {
    const settled = promise.catch(() => {})
    this.given.push(settled)
    return settled
  }

  private withSession(index: number, run: (owner: TerminalOwner, id: OpenedSession['sessionId']) => void): void {
    const session = this.sessions[index % Math.max(1, this.sessions.length)]
    if (session === undefined) return
    try {
      run(session.owner, session.opened.sessionId)
    } catch {
      // Refused: ended, closing, or another send is active.
    }
  }
}

const index = fc.nat({ max: 5 })
type Command = readonly [name: string, run: (world: World) => unknown]
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: index.map((at): Command => [`open ${at} and wait`, (world) => world.open(at)]) },
  { weight: 1, arbitrary: index.map((at): Command => [`open ${at}`, (world) => void world.open(at)]) },
  {
    weight: 8,
    arbitrary: fc
      .tuple(index, fc.constantFrom(...TEXTS))
      .map(([at, text]): Command => [`send ${at} ${text}`, (world) => world.send(at, text)]),
  },
  {
    weight: 3,
    arbitrary: index.map((at): Command => [`cancel ${at}`, (world) => world.sends.at(-1 - at)?.cancel('x')]),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(index, fc.constantFrom(...SIGNALS))
      .map(([at, signal]): Command => [`${signal} ${at}`, (world) => world.signal(at, signal)]),
  },
  { weight: 2, arbitrary: index.map((at): Command => [`close ${at}`, (world) => world.close(at)]) },
  { weight: 1, arbitrary: fc.constant<Command>(['abort', (world) => world.openings.at(-1)?.abort(new Error('x'))]) },
  { weight: 1, arbitrary: index.map((at): Command => [`release ${at}`, (world) => world.release(at)]) },
)
/** A command, and milliseconds until the next one. */
const life = fc.array(fc.tuple(command, fc.constantFrom(0, 1, 10, 60)), { minLength: 8, maxLength: 24, size: 'max' })

describe.skipIf(process.platform !== 'linux')('real shells in any order of events (needs procfs)', () => {
  let bystander: ShellHost
  let other: Terminal
  let tag: string
  let untouched: readonly string[]
  const stranger = spawn('sleep', ['649'], { stdio: 'ignore' })
  beforeAll(async () => {
    bystander = await startShellHost()
    other = await bystander.open()
    await other.send('sleep 648 &')
    // One process is one host, however many services run in it.
    tag = bystander.ctx.subprocess.hostTag ?? ''
    untouched = listTagged(tag)
    expect(untouched).toHaveLength(2)
  })
  afterAll(async () => {
    stranger.kill('SIGKILL')
    await bystander.close()
  })

  it('settle every promise, leave no process, and hit nothing outside', async () => {
    await fc.assert(
      fc.asyncProperty(life, async (steps) => {
        const world = await World.create()
        for (const [[, run], pauseMs] of steps) {
          await run(world)
          if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
        }
        await world.end()
        expect(listTagged(tag)).toEqual(untouched)
        expect(stranger.pid !== undefined && isAlive(stranger.pid)).toBe(true)
        expect((await other.send('jobs')).viewport.text).toMatch(/Running\s+sleep 648/)
      }),
      { numRuns: 8, endOnFailure: true },
    )
  }, 120_000)
})
