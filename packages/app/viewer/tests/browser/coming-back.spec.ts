import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, NEEDS, useBrowser } from './support/browser.js'
import { AgentShell, ViewerHouse } from './support/viewer-house.js'
import { ViewerPage } from './support/viewer-page.js'

useBaseline()

describe.skipIf(chromiumPath === undefined)(`coming and coming back ${NEEDS}`, () => {
  const browser = useBrowser()
  let house: ViewerHouse
  beforeAll(async () => {
    house = await ViewerHouse.build()
  })
  afterAll(() => house.dispose())

  it('comes back by itself after a restart of the host, and shows what is there now', async () => {
    await AgentShell.open(house, 'before')
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.select('before')
    const options = { port: house.port, token: house.root.ahp.token }
    await house.dispose()
    await viewer.waitForBanner('Not connected')
    await viewer.list.getByText('The host is gone').waitFor()
    house = await ViewerHouse.build(options)
    await AgentShell.open(house, 'after')
    await viewer.select('after')
    await viewer.waitForBanner('Nobody types')
    expect(await viewer.row('before').count()).toBe(0)
    await viewer.takeOver()
    await viewer.type('echo "back $((40 + 2))"')
    await viewer.waitForOutput('back 42')
  })

  it('tries at once when it is told to', async () => {
    const page = await browser.page()
    await page.clock.install()
    const viewer = await ViewerPage.open(page, house)
    const options = { port: house.port, token: house.root.ahp.token }
    // No timer of the page runs from here on: only the button can bring it back. (Too little for a ping to count as lost.)
    await page.clock.pauseAt(Date.now() + 4_000)
    await house.dispose()
    await viewer.list.getByText('Trying again in').waitFor()
    house = await ViewerHouse.build(options)
    await AgentShell.open(house, 'there at once')
    await viewer.button('Try now').click()
    await viewer.row('there at once').waitFor()
  })

  it('asks for a new link when the host was started with another token', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    const { port } = house
    await house.dispose()
    await viewer.list.getByText('The host is gone').waitFor()
    house = await ViewerHouse.build({ port })
    const field = viewer.page.getByLabel(/Paste the link/)
    await field.waitFor()
    await viewer.page.getByRole('alert').filter({ hasText: 'started anew' }).waitFor()
    await field.fill(house.link())
    await field.press('Enter')
    await viewer.list.waitFor()
    await viewer.list.getByText('No terminals yet').waitFor()
  })

  it('asks for a link, and takes no other text for one', async () => {
    const page = await browser.page()
    await page.goto(house.url)
    const field = page.getByLabel(/Paste the link/)
    await field.fill('http://127.0.0.1:7681/')
    await field.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'not a link' }).waitFor()
    await field.fill(house.link())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Terminals' }).waitFor()
  })

  it('says in the address bar what it says in the field: that a text is no link', async () => {
    const page = await browser.page()
    const explained = page.getByRole('alert').filter({ hasText: 'not a link' })
    await page.goto(`${house.url}#link=nonsense`)
    await explained.waitFor()
    expect(page.url()).toBe(house.url)
    await page.goto(house.link())
    await page.getByRole('navigation', { name: 'Terminals' }).waitFor()
    // In a tab that is signed in it does no harm.
    await page.goto(`${house.url}#link=nonsense`)
    await page.waitForURL(house.url)
    await page.getByRole('navigation', { name: 'Terminals' }).waitFor()
    expect(await explained.count()).toBe(0)
  })

  it('lets a link in once', async () => {
    const link = house.link()
    const first = await browser.page()
    await first.goto(link)
    await first.getByRole('navigation', { name: 'Terminals' }).waitFor()
    const second = await browser.page()
    await second.goto(link)
    await second.getByRole('alert').filter({ hasText: 'has been used' }).waitFor()
    expect(second.url()).toBe(house.url)
    // The first stays, even when it is given the used link again.
    await first.goto(link)
    await first.getByRole('navigation', { name: 'Terminals' }).waitFor()
  })

  it('refuses a made-up token, and says so', async () => {
    const page = await browser.page()
    await page.goto(house.url)
    await page.evaluate("sessionStorage.setItem('agent-terminals.token', 'made-up-token-of-some-length')")
    await page.reload()
    await page.getByRole('alert').filter({ hasText: 'Sign in with a new link' }).waitFor()
    expect(await page.evaluate<null>("sessionStorage.getItem('agent-terminals.token')")).toBeNull()
  })

  it('gives a copy of the tab an identity of its own', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    const kept = await viewer.page.evaluate<string[]>('Object.keys(sessionStorage)')
    expect(kept).toContain('agent-terminals.token')
    expect(kept).not.toContain('agent-terminals.client')
  })

  describe('from another origin', () => {
    let elsewhere: Server | undefined
    afterEach(async () => {
      elsewhere?.closeAllConnections()
      await new Promise((resolve) => (elsewhere ? elsewhere.close(resolve) : resolve(undefined)))
    })

    it('neither a page with the token nor one with a link gets in', async () => {
      const server = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html').end('elsewhere'),
      )
      elsewhere = server
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const page = await browser.page()
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      const address = house.url.replace(/^http/, 'ws')
      const socket = await page.evaluate<string>(
        `new Promise((resolve) => {
          const socket = new WebSocket(${JSON.stringify(address)}, 'ahp-token.${house.root.ahp.token}')
          socket.onopen = () => resolve('open')
          socket.onerror = () => resolve('refused')
        })`,
      )
      expect(socket).toBe('refused')
      const link = house.link()
      const session = await page.evaluate<string>(
        `fetch(${JSON.stringify(`${house.url}session`)}, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ link: ${JSON.stringify(link.split('#link=')[1])} }),
        }).then(() => 'answered', () => 'refused')`,
      )
      expect(session).toBe('refused')
      // Nor is the link used up by it.
      await ViewerPage.open(await browser.page(), { link: () => link } as ViewerHouse)
    })

    it('no page can put this one into a frame', async () => {
      const server = createServer((_request, response) =>
        response.setHeader('content-type', 'text/html').end(`<iframe src="${house.url}"></iframe>`),
      )
      elsewhere = server
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const page = await browser.page()
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      await expect.poll(() => browser.complaints.join()).toContain('frame-ancestors')
    })
  })
})
