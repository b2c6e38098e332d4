import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { House, INDEX, SCRIPT } from './house.js'

useBaseline()

let house: House
beforeAll(async () => {
  house = await House.build()
})
afterAll(() => house.dispose())

describe('the page', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', INDEX, 'no-store'],
    ['/?tkn=whatever', 'text/html; charset=utf-8', INDEX, 'no-store'],
    ['/assets/main-Bx1.js', 'text/javascript; charset=utf-8', SCRIPT, 'public, max-age=31536000, immutable'],
    ['/icon.svg', 'image/svg+xml', '<svg/>', 'no-store'],
  ])('serves %s as %s', async (path, type, body, cacheControl) => {
    const answer = await house.ask(path)
    expect(answer).toMatchObject({ status: 200, body })
    expect(answer.headers).toMatchObject({ 'content-type': type, 'cache-control': cacheControl })
  })

  it.each([
    '/index.html',
    '/assets',
    '/assets/',
    '/passwd.txt',
    '/../package.json',
    '/assets/../index.html',
    '/%2e%2e/package.json',
    '/assets/%2e%2e/icon.svg',
    '/..%5cpackage.json',
    '//etc/passwd',
    '/icon.svg%00',
    'http://127.0.0.1/icon.svg',
    '/favicon.ico',
  ])('has nothing at %s', async (path) => {
    const answer = await house.ask(path)
    expect(answer).toMatchObject({ status: 404, body: 'There is nothing here.\n' })
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('answers HEAD with the headers of GET alone', async () => {
    const [got, headed] = [await house.ask('/'), await house.ask('/', { method: 'HEAD' })]
    const { date: _, ...headers } = got.headers
    expect(headed).toMatchObject({ status: 200, headers, body: '' })
    expect(got.headers['content-length']).toBe(String(INDEX.length))
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s with what is allowed', async (method) => {
    const answer = await house.ask('/', { method })
    expect(answer).toMatchObject({ status: 405, body: 'GET or HEAD\n', headers: { allow: 'GET, HEAD' } })
  })

  it.each(['/', '/assets/main-Bx1.js', '/none', '/session'])('guards %s with the same headers', async (path) => {
    const { headers } = await house.ask(path)
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map((each) => each.split(/ (.*)/) as [string, string]),
    )
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    })
  })

  it('is not served under a foreign host name', async () => {
    expect(await house.ask('/', { headers: { host: 'evil.example' } })).toMatchObject({ status: 403 })
  })
})

describe('the start', () => {
  it('fails when the page has not been built, saying what to run', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'viewer-empty-'))
    await expect(House.build({ pageDirectory: empty })).rejects.toMatchObject({
      code: 'PAGE_MISSING',
      message: `There is no index.html in ${empty}. Build the page: npm run build.`,
    })
    rmSync(empty, { recursive: true })
  })

  it('fails beside a host that does not listen', async () => {
    await expect(House.build({}, { listen: false })).rejects.toMatchObject({ code: 'NOT_LISTENING' })
  })

  it('refuses a field that does not exist', async () => {
    await expect(House.build({ pages: '/tmp' })).rejects.toThrow(/pages/)
  })

  it('gives the port back to the host when the viewer is unmounted', async () => {
    const own = await House.build()
    const { url } = own.root.viewer
    await own.dispose()
    await expect(fetch(url)).rejects.toThrow()
  })
})
