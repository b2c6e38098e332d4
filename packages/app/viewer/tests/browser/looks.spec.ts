import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, NEEDS, useBrowser } from './support/browser.js'
import { AgentShell, ViewerHouse } from './support/viewer-house.js'
import { ViewerPage } from './support/viewer-page.js'

useBaseline()

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }

describe.skipIf(chromiumPath === undefined)(`how it looks ${NEEDS}`, () => {
  const browser = useBrowser()
  let house: ViewerHouse
  let shell: AgentShell
  beforeAll(async () => {
    house = await ViewerHouse.build()
    shell = await AgentShell.open(house, 'shown')
    await shell.send('ls --color=always /; (exit 2)')
    const ended = await AgentShell.open(house, 'ended')
    await ended.send('exit 1')
  })
  afterAll(() => house.dispose())

  const colourOf = (viewer: ViewerPage, selector: string) =>
    viewer.page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)

  it('shows the list or a terminal at the width of a phone, and nothing runs off the side', async () => {
    const viewer = await ViewerPage.open(await browser.page(PHONE), house)
    const { page } = viewer
    const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    await viewer.row('shown').waitFor()
    expect(await page.locator('.pane').isVisible()).toBe(false)
    expect(await overflow()).toBeLessThanOrEqual(0)
    await viewer.row('shown').tap()
    await viewer.waitForOutput('usr')
    expect(await viewer.list.isVisible()).toBe(false)
    expect(await overflow()).toBeLessThanOrEqual(0)
    // Somebody else's terminal is wider: in small letters, and one can push it aside.
    expect(
      await page.evaluate<boolean>(
        "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.area'))",
      ),
    ).toBe(true)
    await viewer.button('Take over').tap()
    await viewer.waitForBanner('You have the keyboard')
    await viewer.page.locator('.area').tap()
    await viewer.type('cat')
    await page.getByRole('toolbar', { name: 'Keys' }).getByRole('button', { name: 'Control D' }).tap()
    await viewer.commandBar.filter({ hasText: 'exit 0' }).waitFor()
    expect(await overflow()).toBeLessThanOrEqual(0)
    await viewer.button('Hand back').tap()
    await viewer.waitForBanner('Nobody types')
    await viewer.button('List').tap()
    await viewer.row('ended').waitFor()
  })

  it('is light or dark as the system is, unless one says otherwise, and remembers that', async () => {
    const dark = await ViewerPage.open(await browser.page({ colorScheme: 'dark' }), house)
    const light = await ViewerPage.open(await browser.page({ colorScheme: 'light' }), house)
    for (const viewer of [dark, light]) await viewer.select('shown')
    const [darkGround, lightGround] = await Promise.all([dark, light].map((viewer) => colourOf(viewer, 'body')))
    expect(darkGround).not.toBe(lightGround)
    const terminalOf = (viewer: ViewerPage) => colourOf(viewer, '.xterm .xterm-scrollable-element')
    const darkTerminal = await terminalOf(dark)
    const lightTerminal = await terminalOf(light)
    expect(darkTerminal).not.toBe(lightTerminal)
    await dark.page.getByText('Light', { exact: true }).click()
    await expect.poll(() => colourOf(dark, 'body')).toBe(lightGround)
    await expect.poll(() => terminalOf(dark)).toBe(lightTerminal)
    await dark.page.reload()
    await dark.waitForOutput('usr')
    expect(await colourOf(dark, 'body')).toBe(lightGround)
    expect(await terminalOf(dark)).toBe(lightTerminal)
    await light.page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => terminalOf(light)).toBe(darkTerminal)
  })

  it('has the same ground behind the terminal and around it', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      const viewer = await ViewerPage.open(await browser.page({ colorScheme }), house)
      await viewer.select('shown')
      expect(await colourOf(viewer, '.pane')).toBe(await colourOf(viewer, '.xterm .xterm-scrollable-element'))
    }
  })

  describe('to tools that check access', () => {
    const check = (viewer: ViewerPage) =>
      viewer.page.evaluate<readonly string[]>(
        `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`,
      )

    it.each(['dark', 'light'] as const)('has nothing serious wrong with it when it is %s', async (colorScheme) => {
      // The page forbids scripts that are not its own: for this one check it may not.
      const viewer = await ViewerPage.open(await browser.page({ colorScheme, bypassCSP: true }), house)
      const { page } = viewer
      await viewer.select('shown')
      await viewer.waitForOutput('usr')
      await page.evaluate(axe)
      expect(await check(viewer)).toEqual([])
      await viewer.takeOver()
      await viewer.button('Search').click()
      await page.keyboard.type('usr')
      await page.locator('.find-count').filter({ hasText: /of/ }).waitFor()
      expect(await check(viewer)).toEqual([])
      await page.keyboard.press('Escape')
      await viewer.button('Help').click()
      await page.getByRole('dialog').waitFor()
      expect(await check(viewer)).toEqual([])
      await viewer.button('Close').click()
      await viewer.button('Hand back').click()
      await viewer.select('ended')
      expect(await check(viewer)).toEqual([])
    })

    it('has nothing serious wrong with the sign-in', async () => {
      const page = await browser.page({ bypassCSP: true })
      await page.goto(house.url)
      await page.getByLabel(/Paste the link/).waitFor()
      await page.evaluate(axe)
      expect(await check(new ViewerPage(page))).toEqual([])
    })
  })
})
