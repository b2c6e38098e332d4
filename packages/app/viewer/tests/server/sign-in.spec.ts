import { once } from 'node:events'
import { connect } from 'node:net'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LinkBook } from '../../src/server/links.js'
import { type Answer, type Ask, House, TOKEN } from './house.js'

useBaseline()

let house: House
beforeAll(async () => {
  house = await House.build()
})
afterAll(() => house.dispose())

const secretOf = (link: string) => /#link=([\w-]+)$/.exec(link)?.[1] ?? ''
const freshSecret = () => secretOf(house.root.viewer.createLink())

function post(body: string, headers: Ask['headers'] = {}, at = house): Promise<Answer> {
  return at.ask('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: at.origin, ...headers },
    body,
  })
}
const present = (link: string, at = house) => post(JSON.stringify({ link }), {}, at)
const codeOf = ({ status, body }: Answer) => [status, (JSON.parse(body) as { readonly code: string }).code]

describe('a link', () => {
  it('is the address of the page with a secret in the fragment', () => {
    expect(house.root.viewer.createLink()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]{43}$/)
    expect(freshSecret()).not.toBe(freshSecret())
  })

  it('gives the token once, and afterwards says that it has been used', async () => {
    const secret = freshSecret()
    const first = await present(secret)
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(JSON.parse(first.body)).toEqual({ token: TOKEN })
    const second = await present(secret)
    expect(codeOf(second)).toEqual([401, 'LINK_USED'])
    expect(second.body).not.toContain(TOKEN)
  })

  it('gives the token to one of two that present it at once', async () => {
    const secret = freshSecret()
    const answers = await Promise.all([present(secret), present(secret)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it.each(['x', 'A'.repeat(43), `${'A'.repeat(42)}é`])('that was never made is unknown: %s', async (secret) => {
    expect(codeOf(await present(secret))).toEqual([401, 'LINK_UNKNOWN'])
  })

  it('is not used up by a request that is refused', async () => {
    const secret = freshSecret()
    expect(codeOf(await post(JSON.stringify({ link: secret }), { origin: 'http://evil.example' }))).toEqual([
      403,
      'ORIGIN_REFUSED',
    ])
    expect((await present(secret)).status).toBe(200)
  })

  it('is forgotten when 64 newer ones have been made', () => {
    const links = new LinkBook()
    const oldest = links.create()
    const newer = Array.from({ length: 64 }, () => links.create())
    expect(links.redeem(oldest)).toBe('unknown')
    expect(links.redeem(newer[0] ?? '')).toBe('accepted')
  })
})

describe('POST /session', () => {
  it.each([
    ['no JSON', 'link', 400, 'BODY_INVALID'],
    ['an empty body', '', 400, 'BODY_INVALID'],
    ['a link that is no text', '{"link":1}', 400, 'BODY_INVALID'],
    ['more than a link', '{"link":"x","more":1}', 400, 'BODY_INVALID'],
    ['a list', '[]', 400, 'BODY_INVALID'],
    ['a body without end', JSON.stringify({ link: 'x'.repeat(100_000) }), 413, 'BODY_TOO_LARGE'],
  ])('refuses %s', async (_, body, status, code) => {
    expect(codeOf(await post(body))).toEqual([status, code])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])('refuses the content type %j', async (type) => {
    expect(codeOf(await post('{"link":"x"}', { 'content-type': type }))).toEqual([415, 'TYPE_UNSUPPORTED'])
  })

  it.each(['null', 'http://127.0.0.1:1', 'https://evil.example'])('refuses the origin %s', async (origin) => {
    expect(codeOf(await post('{"link":"x"}', { origin }))).toEqual([403, 'ORIGIN_REFUSED'])
  })

  it('survives a sender that breaks off', async () => {
    const socket = connect(Number(new URL(house.origin).port), '127.0.0.1')
    socket.write(
      `POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
    )
    await once(socket, 'connect')
    socket.destroy()
    await once(socket, 'close')
    expect((await house.ask('/')).status).toBe(200)
  })

  it('takes so many tries a minute, and a good link no sooner than that', async () => {
    const strict = await House.build({ signInTriesPerMinute: 2 })
    const secret = secretOf(strict.root.viewer.createLink())
    const answers = [await present('a', strict), await present('b', strict), await present(secret, strict)]
    expect(answers.map(codeOf)).toEqual([
      [401, 'LINK_UNKNOWN'],
      [401, 'LINK_UNKNOWN'],
      [429, 'TOO_MANY_TRIES'],
    ])
    expect(answers[2]?.headers['retry-after']).toBe('60')
    await strict.dispose()
  })
})

describe('GET /session', () => {
  const check = (headers: Ask['headers']) => house.ask('/session', { headers: { ...headers } })

  it('says that a token is good', async () => {
    expect(await check({ authorization: `Bearer ${TOKEN}` })).toMatchObject({ status: 204, body: '' })
  })

  it.each([[{ authorization: 'Bearer another-token' }], [{ authorization: 'Basic x' }], [{}]])(
    'says that one must sign in again with %j',
    async (headers) => {
      expect(codeOf(await check(headers))).toEqual([401, 'TOKEN_INVALID'])
    },
  )

  it('says nothing to a foreign page', async () => {
    const answer = await check({ authorization: `Bearer ${TOKEN}`, origin: 'http://evil.example' })
    expect(codeOf(answer)).toEqual([403, 'ORIGIN_REFUSED'])
  })

  it('refuses other methods with what is allowed', async () => {
    expect(await house.ask('/session', { method: 'DELETE' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, POST' },
    })
  })
})
