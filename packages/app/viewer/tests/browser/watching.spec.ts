import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, NEEDS, useBrowser } from './support/browser.js'
import { AgentShell, ViewerHouse } from './support/viewer-house.js'
import { ViewerPage } from './support/viewer-page.js'

useBaseline()

describe.skipIf(chromiumPath === undefined)(`watching terminals ${NEEDS}`, () => {
  const browser = useBrowser()
  let house: ViewerHouse
  let shell: AgentShell
  beforeAll(async () => {
    house = await ViewerHouse.build()
    shell = await AgentShell.open(house, 'build')
    await shell.send('cd /usr')
    await shell.send('echo one && false')
    await shell.send('printf "alpha\\nbeta needle\\ngamma\\n"')
  })
  afterAll(() => house.dispose())

  it('shows what was printed before and what comes, with the state of each terminal in the list', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.waitForOutput('beta needle')
    await viewer.row('build').filter({ hasText: '/usr' }).filter({ hasText: 'Agent idle' }).waitFor()
    await viewer.row('build').filter({ hasText: 'ready' }).waitFor()
    await shell.send('echo live; (exit 3)')
    await viewer.waitForOutput('live')
    await viewer.row('build').filter({ hasText: 'exit 3' }).waitFor()
    await viewer.commandBar.filter({ hasText: 'exit 3' }).waitFor()
    expect(browser.complaints).toEqual([])
  })

  it('takes the secret of the link out of the address at once, and out of the history', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    expect(viewer.page.url()).toBe(house.url)
    expect(await viewer.page.evaluate<number>('history.length')).toBeLessThanOrEqual(2)
  })

  it('marks commands, goes from one to the next, and copies the output of one', async () => {
    const page = await browser.page({ permissions: ['clipboard-read', 'clipboard-write'] })
    const viewer = await ViewerPage.open(page, house)
    await viewer.waitForOutput('gamma')
    await page.getByRole('button', { name: /^echo one && false: exit 1/ }).waitFor()
    await viewer.marks.nth(2).waitFor()
    expect(await viewer.marks.evaluateAll((marks) => marks.map((mark) => mark.dataset.outcome))).toContain('failed')
    await page.getByRole('button', { name: /^printf / }).click()
    await viewer.commandBar.filter({ hasText: 'printf' }).waitFor()
    await viewer.button('Copy output').click()
    await viewer.waitForNotice('The output of the command is copied.')
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('alpha\nbeta needle\ngamma\n')
    await viewer.button('Previous command').click()
    await viewer.commandBar.filter({ hasText: 'echo one && false' }).filter({ hasText: 'exit 1' }).waitFor()
    await viewer.button('Next command').click()
    await viewer.commandBar.filter({ hasText: 'printf' }).waitFor()
  })

  it('searches the output, newest match first', async () => {
    await shell.send('clear; seq 1 200')
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.waitForOutput('200')
    await viewer.button('Search').click()
    const field = viewer.page.getByRole('textbox', { name: 'Search the output' })
    const count = viewer.page.locator('.find-count')
    await field.fill('15')
    // 15, 115, and 150 to 159.
    await count.filter({ hasText: '12 of 12' }).waitFor()
    await field.press('Enter')
    await count.filter({ hasText: '11 of 12' }).waitFor()
    await field.press('Shift+Enter')
    await count.filter({ hasText: '12 of 12' }).waitFor()
    await viewer.button('.*').click()
    await field.fill('^1[0-9]$')
    await count.filter({ hasText: '10 of 10' }).waitFor()
    await viewer.waitForOutput('19')
    await field.fill('^1[0-9')
    await count.filter({ hasText: /^$/ }).waitFor({ state: 'attached' })
    await field.fill('nowhere')
    await count.filter({ hasText: 'nothing found' }).waitFor()
    await field.press('Escape')
    await viewer.page.locator('.find').waitFor({ state: 'detached' })
    await viewer.expectFocusInTerminal()
    expect(browser.complaints).toEqual([])
  })

  it('says which terminals print while another one is shown', async () => {
    const other = await AgentShell.open(house, 'other')
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.select('build')
    await viewer.row('other').waitFor()
    await other.send('echo hello from the other')
    await viewer.row('other').filter({ hasText: 'new output' }).waitFor()
    await viewer.select('other')
    await viewer.waitForOutput('hello from the other')
    await viewer.row('other').filter({ hasNotText: 'new output' }).waitFor()
    await other.agent.dispose()
    await viewer.row('other').waitFor({ state: 'detached' })
    await viewer.page.getByRole('heading', { name: 'build' }).waitFor()
  })

  it('shows two pages the same', async () => {
    const first = await ViewerPage.open(await browser.page(), house)
    const second = await ViewerPage.open(await browser.page(), house)
    await shell.send('echo for both')
    await Promise.all([first, second].map((viewer) => viewer.waitForOutput('for both')))
    expect(await first.output.textContent()).toBe(await second.output.textContent())
  })
})
