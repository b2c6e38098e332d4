/** What is typed where a program reads with echo off is kept nowhere. Real shell, evidence trails on. */
import { createHash } from 'node:crypto'
import type { TerminalSessionId } from '@agent-terminals/terminal'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { textOf } from './house.js'
import { buildRealHouse, type RealHouse } from './real-house.js'

useBaseline()

const SECRET = 'hunter2-correct-horse'
const DIGEST = createHash('sha256').update(SECRET).digest('hex')

let house: RealHouse
/** Everything that left the house, beside the session log. */
let seen: string[]
let id: string

beforeEach(async () => {
  process.env.AGENT_TERMINALS_DEBUG = '1'
  house = await buildRealHouse()
  seen = []
  house.root.logger.exporter({ export: (message) => void seen.push(JSON.stringify(message.args)) })
  id = await house.open()
  house.root.terminals.observers.on('*', (_id, event) => {
    const bytes = event.type === 'data' ? new TextDecoder().decode(event.bytes) : ''
    seen.push(JSON.stringify(event.type === 'opened' ? 'opened' : event), bytes)
  })
})
afterEach(async () => {
  await house.dispose()
  delete process.env.AGENT_TERMINALS_DEBUG
})

const onProgress = ({ text }: { readonly text: string }) => void seen.push(text)

async function send(text: string, more: Record<string, unknown> = {}): Promise<string> {
  const call = await house.call('terminal_send', { sessionId: id, text, ...more }, { onProgress })
  seen.push(JSON.stringify(call))
  return textOf(call)
}

/** All that anybody could look into afterwards. */
async function gather(): Promise<string> {
  const scrollback = await house.text('terminal_read', { sessionId: id, lines: 1_000 })
  const listing = await house.text('terminal_list', {})
  const jobs = await house.text('job_list', {})
  return [scrollback, listing, jobs, ...seen, JSON.stringify(house.agent.session.events)].join('\n')
}

const loggedCalls = () =>
  house.agent.session.events.flatMap((event) =>
    event.type === 'tool/call'
      ? [event.data as { readonly args: { readonly text?: string }; readonly presentation: unknown }]
      : [],
  )

describe('text sent to a program that reads with echo off', () => {
  it.each([
    ['the shell', 'read -rs x', [SECRET], 'printf %s "$x" | sha256sum'],
    ['Python', 'python3 -c \'import getpass; open("got", "w").write(getpass.getpass())\'', [SECRET], 'sha256sum < got'],
    [
      'a program that turns echo off itself',
      'stty -echo; head -1 | tr -d "\\n" > got; stty echo',
      [SECRET],
      'sha256sum < got',
    ],
  ])('reaches %s and is kept nowhere', async (_who, ask, answers, check) => {
    expect(await send(ask)).toContain('hidden')
    for (const answer of answers) await send(answer)
    expect(await send(check)).toContain(DIGEST)
    const everything = await gather()
    expect(everything).not.toContain(SECRET)
    expect(everything).toContain('[hidden input]')
    // The evidence trail was on, so it was there to be looked into.
    expect(everything).toContain('verdict stdin_read/hidden')
  })

  it('is kept nowhere when a key generator asks twice', async () => {
    expect(await send('ssh-keygen -q -t ed25519 -f key')).toContain('hidden')
    expect(await send(SECRET)).toContain('hidden')
    await send(SECRET)
    expect(await send(`ssh-keygen -y -P '' -f key >/dev/null 2>&1 || echo locked`)).toContain('locked')
    expect(await gather()).not.toContain(SECRET)
  })

  it('is kept nowhere when it goes to the background', async () => {
    await send('read -rs x; sleep 0.2; echo done')
    const { result } = await house.call('terminal_send', { sessionId: id, text: SECRET, run_in_background: true })
    const jobId = result.structured?.jobId
    expect(await house.text('job_output', { jobId, wait: true })).toContain('done')
    expect(await send('printf %s "$x" | sha256sum')).toContain(DIGEST)
    expect(await gather()).not.toContain(SECRET)
  })

  it('is kept nowhere when the call is cancelled', async () => {
    await send('read -rs x; sleep 100')
    const abort = new AbortController()
    const call = house.call('terminal_send', { sessionId: id, text: SECRET }, { signal: abort.signal, onProgress })
    await waitUntil('the program goes on', () => house.root.terminals.list(house.agent)[0]?.foreground === 'sleep')
    abort.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect(await gather()).not.toContain(SECRET)
  })

  it('is kept nowhere when a person types it', async () => {
    await send('read -rs x')
    const { observers } = house.root.terminals
    observers.claim(id as TerminalSessionId, { kind: 'client', clientId: 'person' })
    await observers.input(id as TerminalSessionId, 'person', `${SECRET}\r`)
    observers.claim(id as TerminalSessionId, { kind: 'owner' })
    await send('', { submit: false })
    expect(await send('printf %s "$x" | sha256sum')).toContain(DIGEST)
    expect(await gather()).not.toContain(SECRET)
  })
})

describe('the log', () => {
  it('shows the call with everything but the secret, on its card too', async () => {
    await send('read -rs x')
    await send(SECRET, { timeoutMs: 5_000 })
    const call = loggedCalls().at(-1)
    expect(call?.args).toEqual({ sessionId: id, text: '[hidden input]', timeoutMs: 5_000 })
    expect(call?.presentation).toMatchObject({ card: 'terminal', title: '[hidden input]' })
  })

  it('keeps what is typed where it can be seen, before and after', async () => {
    await send('cat')
    await send('visible line')
    await send('\u0004', { submit: false })
    await send('read -rs x')
    await send('')
    await send('echo after')
    expect(loggedCalls().flatMap(({ args }) => args.text ?? [])).toEqual([
      'cat',
      'visible line',
      '\u0004',
      'read -rs x',
      '',
      'echo after',
    ])
  })
})
