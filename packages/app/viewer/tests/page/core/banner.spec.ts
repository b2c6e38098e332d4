import { isInToolCall, type TerminalClaim } from '@agent-terminals/ahp/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bannerOf, isTyping, renderKeyboard } from '../../../src/page/core/banner.js'
import type { Connection } from '../../../src/page/core/connection.js'
import { renderConnection } from '../../../src/page/core/connection.js'
import { holderOf, nameSession } from '../../../src/page/core/holder.js'
import type { Life } from '../../../src/page/core/terminal-model.js'
import { arbitraryClaim, ME, sessionClaim } from './arbitrary-events.js'

const ready: Connection = { kind: 'ready' }
const running: Life = { kind: 'running' }
const owner = sessionClaim('s')

describe('the banner', () => {
  it.each<[string, TerminalClaim, string, readonly string[]]>([
    ['an agent at work', sessionClaim('s', 'call'), 'Agent session s is running a command', ['take-over', 'detach']],
    ['an idle agent', sessionClaim('s'), 'Nobody types', ['take-over']],
    ['this page', { kind: 'client', clientId: ME }, 'You have the keyboard', ['hand-back']],
    ['another page', { kind: 'client', clientId: 'x' }, 'Another viewer has the keyboard', ['take-over']],
  ])('of %s says who types and what can be done', (_who, claim, headline, actions) => {
    const banner = bannerOf({ life: running, holder: holderOf(claim, ME, owner) }, ready)
    expect(banner.headline).toBe(headline)
    expect(banner.actions).toEqual(actions)
  })

  it('offers to hand back only what came from somebody', () => {
    const holder = holderOf({ kind: 'client', clientId: ME }, ME, undefined)
    expect(bannerOf({ life: running, holder }, ready).actions).toEqual([])
  })

  it('offers nothing for what has ended, and says how', () => {
    const holder = holderOf(sessionClaim('s'), ME, owner)
    expect(bannerOf({ life: { kind: 'ended', exitCode: 3 }, holder }, ready)).toMatchObject({
      headline: 'Ended with exit code 3',
      actions: [],
    })
    expect(renderKeyboard({ life: { kind: 'ended', exitCode: undefined }, holder })).toBe('Ended by a signal')
  })

  it('lets this page type exactly while it holds a running terminal of a connected host', () => {
    const lives: readonly Life[] = [running, { kind: 'ended', exitCode: 0 }]
    const connections: readonly Connection[] = [
      ready,
      { kind: 'connecting' },
      { kind: 'waiting', retryAt: 1 },
      { kind: 'failed', message: 'x' },
    ]
    fc.assert(
      fc.property(
        arbitraryClaim,
        fc.constantFrom(...lives),
        fc.constantFrom(...connections),
        (claim, life, connection) => {
          const banner = bannerOf({ life, holder: holderOf(claim, ME, owner) }, connection)
          const isMine = claim.kind === 'client' && claim.clientId === ME
          expect(isTyping(banner)).toBe(isMine && life.kind === 'running' && connection.kind === 'ready')
          expect(banner.actions.includes('detach')).toBe(
            isInToolCall(claim) && life.kind === 'running' && connection.kind === 'ready',
          )
        },
      ),
    )
  })

  it('knows no claims of later versions, and says so', () => {
    const later = { kind: 'fleet', id: 'f' } as unknown as TerminalClaim
    expect(holderOf(later, ME, undefined)).toEqual({ kind: 'unknown' })
  })
})

describe('names of sessions', () => {
  it.each([
    ['ahp-session:/session-3a7286ce-1d2b-4c3d-8e9f-0123456789ab', '3a7286ce'],
    ['ahp-session:/deploy%20bot', 'deploy bot'],
    ['copilot:/abc', 'abc'],
    ['ahp-session:/a%ZZ', 'a%ZZ'],
    ['ahp-session:/a%0Ab', 'a␊b'],
    ['x:', 'x:'],
  ])('%s is called %s', (session, name) => {
    expect(nameSession(session)).toBe(name)
  })
})

describe('the connection', () => {
  it('is told while something is wrong with it', () => {
    expect(renderConnection(ready, 0)).toBeUndefined()
    expect(renderConnection({ kind: 'waiting', retryAt: 0 }, 3)).toBe('The host is gone. Trying again in 3 s.')
    expect(renderConnection({ kind: 'waiting', retryAt: 0 }, 0)).toBe('The host is gone. Trying again…')
    expect(renderConnection({ kind: 'failed', message: 'why' }, 0)).toBe('why')
  })
})
