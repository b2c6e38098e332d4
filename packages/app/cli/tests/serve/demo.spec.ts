import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { SessionSummary, TerminalSessionId } from '@agent-terminals/terminal'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { playDemo } from '../../src/serve/demo/play.js'
import { createContext, mountShell } from '../shell-context.js'

useBaseline()

const PERSON = { kind: 'client', clientId: 'person' } as const
const AGENT = { kind: 'owner' } as const

const listHomes = () => readdirSync(tmpdir()).filter((name) => name.startsWith('agent-terminals-demo-'))

let ctx: Context
let ending: AbortController
/** What a person does at a pause of the agent, counted from 1. */
let acts: Map<number, () => void | Promise<void>>
let pauses: number

beforeEach(async () => {
  ctx = await createContext()
  ending = new AbortController()
  acts = new Map()
  pauses = 0
})
afterEach(() => ctx.fiber.dispose())

function play(): Promise<void> {
  return playDemo({
    ctx,
    signal: ending.signal,
    async pause() {
      await acts.get(++pauses)?.()
      ending.signal.throwIfAborted()
    },
  })
}

const find = (name: string): SessionSummary | undefined =>
  ctx.terminals.observers.list().find((summary) => summary.name === name)
const textOf = (id: TerminalSessionId) => ctx.terminals.observers.read(id, { lines: 500 }).text
/** How often the agent has begun its first chapter in the terminal. */
const beginnings = (id: TerminalSessionId) => textOf(id).split('python3 -q').length - 1

function findId(name: string): TerminalSessionId {
  const summary = find(name)
  if (!summary) throw new Error(`there is no terminal ${name}`)
  return summary.sessionId
}

async function end(played: Promise<void>): Promise<void> {
  ending.abort(new Error('enough'))
  await played
}

describe('the agent of the demo', () => {
  it('works in three terminals, chapter after chapter, and begins again', async () => {
    await mountShell(ctx)
    const played = play()
    await waitUntil(
      'the first chapter comes again',
      () => find('build') !== undefined && beginnings(findId('repl')) === 2,
    )
    expect(textOf(findId('repl'))).toMatch(/TypeError: unsupported operand/)
    expect(textOf(findId('repo'))).toMatch(/\* \w+ \(HEAD -> main\) Make room for carrots\n\* \w+ Sow the first beds/)
    expect(textOf(findId('build'))).toMatch(
      /^building 100% {2}#{50}\n.*read -p.*\nDeploy to production\? \[y\/N\] n\n.*\nYou said n: nothing was deployed\.$/m,
    )
    expect(listHomes()).toHaveLength(1)
    await end(played)
    expect(ctx.terminals.observers.list()).toEqual([])
    expect(listHomes()).toEqual([])
  })

  it('leaves the keyboard to a person who takes it, and begins the chapter again when it gets it back', async () => {
    await mountShell(ctx)
    let id: TerminalSessionId | undefined
    acts.set(3, async () => {
      id = findId('repl')
      ctx.terminals.observers.claim(id, PERSON)
      await ctx.terminals.observers.input(id, PERSON.clientId, 'print("mi" + "ne")\r')
    })
    const played = play()
    await waitUntil('the agent waits', () => pauses === 4)
    await waitUntil('the person works', () => id !== undefined && /^mine$/m.test(textOf(id)))
    if (!id) return
    expect(beginnings(id)).toBe(1)
    await ctx.terminals.observers.input(id, PERSON.clientId, 'half a line')
    ctx.terminals.observers.claim(id, AGENT)
    await waitUntil('the chapter begins again', () => id !== undefined && beginnings(id) === 2)
    expect(find('repl')?.sessionId).toBe(id)
    await end(played)
  })

  it.each([
    ['closed', (id: TerminalSessionId) => void ctx.terminals.observers.close(id)],
    [
      'ended',
      async (id: TerminalSessionId) => {
        ctx.terminals.observers.claim(id, PERSON)
        await ctx.terminals.observers.input(id, PERSON.clientId, 'exit\r')
      },
    ],
    [
      'given a program that does not yield',
      async (id: TerminalSessionId) => {
        ctx.terminals.observers.claim(id, PERSON)
        const program =
          'import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); print("stub" + "born"); signal.pause()'
        await ctx.terminals.observers.input(id, PERSON.clientId, `python3 -uc '${program}'\r`)
        await waitUntil('it runs', () => /^stubborn$/m.test(textOf(id)))
        ctx.terminals.observers.claim(id, AGENT)
      },
    ],
  ])('opens a terminal anew that a person has %s', async (_, act) => {
    await mountShell(ctx)
    let first: TerminalSessionId | undefined
    acts.set(1, () => {
      first = findId('repl')
      return act(first)
    })
    const played = play()
    await waitUntil('another terminal is at work', () => {
      const next = find('repl')
      return next !== undefined && next.sessionId !== first && beginnings(next.sessionId) > 0
    })
    await end(played)
    expect(ctx.terminals.observers.list()).toEqual([])
  })

  it('ends in the middle of a command, with everything it started', async () => {
    await mountShell(ctx)
    const played = play()
    await waitUntil('the bar grows', () => {
      const build = find('build')
      return build !== undefined && /building {2}\d+%/.test(textOf(build.sessionId))
    })
    await end(played)
    expect(ctx.terminals.observers.list()).toEqual([])
    expect(listHomes()).toEqual([])
  })

  it('says why it cannot work at all', async () => {
    await expect(play()).rejects.toMatchObject({ code: 'UNKNOWN_TYPE' })
    expect(listHomes()).toEqual([])
  })
})
