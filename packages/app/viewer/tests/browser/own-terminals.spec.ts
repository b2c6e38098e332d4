import { isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, NEEDS, useBrowser } from './support/browser.js'
import { AgentShell, ViewerHouse } from './support/viewer-house.js'
import { ViewerPage } from './support/viewer-page.js'

useBaseline()

describe.skipIf(chromiumPath === undefined)(`terminals of one’s own ${NEEDS}`, () => {
  const browser = useBrowser()
  let house: ViewerHouse
  beforeAll(async () => {
    house = await ViewerHouse.build()
  })
  afterAll(() => house.dispose())

  async function openOwn(viewer: ViewerPage, name: string, directory = ''): Promise<void> {
    await viewer.button('New').click()
    await viewer.page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await viewer.page.getByRole('textbox', { name: 'Directory' }).fill(directory)
    await viewer.button('Open').click()
    await viewer.waitForBanner('You have the keyboard')
    await viewer.expectFocusInTerminal()
  }

  it('are opened where one says, with the keyboard and no one to hand it to', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.page.getByText('No terminals yet').waitFor()
    await openOwn(viewer, 'mine', '/usr/share')
    expect(await viewer.button('Hand back').count()).toBe(0)
    await viewer.row('mine').filter({ hasText: 'yours' }).waitFor()
    await viewer.type('pwd; stty size')
    await viewer.waitForOutput('/usr/share')
    const size = await viewer.size.textContent()
    const [cols, rows] = (size ?? '').split('×')
    await viewer.waitForOutput(`${rows} ${cols}`)
    await viewer.page.setViewportSize({ width: 900, height: 500 })
    await viewer.size.filter({ hasNotText: size ?? '' }).waitFor()
    const [fewer, lower] = ((await viewer.size.textContent()) ?? '').split('×')
    expect(Number(fewer)).toBeLessThan(Number(cols))
    await viewer.type('stty size')
    await viewer.waitForOutput(`${lower} ${fewer}`)
  })

  it('are refused where they cannot be, with the reason', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    const before = await viewer.rows.count()
    await viewer.button('New').click()
    await viewer.page.getByRole('textbox', { name: 'Directory' }).fill('/nowhere/at/all')
    await viewer.button('Open').click()
    await viewer.waitForNotice('Could not open a terminal')
    expect(await viewer.rows.count()).toBe(before)
  })

  it('are renamed, and the name is text', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    await openOwn(viewer, 'old name')
    await viewer.button('Rename').click()
    await viewer.page.getByRole('textbox', { name: 'Name', exact: true }).fill('<b>new</b> name')
    await viewer.page.locator('dialog').getByRole('button', { name: 'Rename' }).click()
    await viewer.page.getByRole('heading', { name: '<b>new</b> name' }).waitFor()
    expect(await viewer.page.locator('h2 b, .row b').count()).toBe(0)
  })

  it('end with everything in them, once one has said that one means it', async () => {
    const shell = await AgentShell.open(house, 'doomed')
    await shell.send('sleep 300 & echo "pid $!"')
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.select('doomed')
    await viewer.waitForOutput(/pid \d+/)
    const pid = Number(/pid (\d+)/.exec((await viewer.output.textContent()) ?? '')?.[1])
    expect(isAlive(pid)).toBe(true)

    await viewer.button('Dispose').click()
    const dialog = viewer.page.getByRole('dialog', { name: 'Dispose of the terminal?' })
    await dialog.filter({ hasText: /doomed is closed, and everything that was started in it ends/ }).waitFor()
    await dialog.filter({ hasText: /belongs to agent/ }).waitFor()
    // What is pressed without reading does no harm.
    await viewer.page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(isAlive(pid)).toBe(true)
    expect(await viewer.row('doomed').count()).toBe(1)

    await viewer.button('Dispose').click()
    await dialog.getByRole('button', { name: 'Dispose' }).click()
    await viewer.row('doomed').waitFor({ state: 'detached' })
    await waitUntil('its child is gone', () => !isAlive(pid))
    await shell.agent.dispose()
  })

  it('say how they ended, and take no more keys', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    await openOwn(viewer, 'ending')
    await viewer.type('exit 7')
    await viewer.waitForBanner('Ended with exit code 7')
    await viewer.row('ending').filter({ hasText: 'exit 7' }).waitFor()
    expect(await viewer.button('Take over').count()).toBe(0)
  })
})
