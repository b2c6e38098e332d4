import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, NEEDS, useBrowser } from './support/browser.js'
import { AgentShell, ViewerHouse } from './support/viewer-house.js'
import { ViewerPage } from './support/viewer-page.js'

useBaseline()

describe.skipIf(chromiumPath === undefined)(`keys alone ${NEEDS}`, () => {
  const browser = useBrowser()
  let house: ViewerHouse
  beforeAll(async () => {
    house = await ViewerHouse.build()
    for (const name of ['first', 'second', 'third']) await AgentShell.open(house, name)
  })
  afterAll(() => house.dispose())

  const isRowFocused = (viewer: ViewerPage, title: string) =>
    expect
      .poll(() =>
        viewer.page.evaluate<string>("document.activeElement?.querySelector('.row-title')?.textContent ?? ''"),
      )
      .toBe(title)

  it('go through the list, into a terminal, take the keyboard, type, and come out again', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    const { keyboard } = viewer.page
    await viewer.row('third').waitFor()
    await keyboard.press('Tab')
    expect(await viewer.focused()).toContain('New')
    await keyboard.press('Tab')
    await isRowFocused(viewer, 'first')
    await keyboard.press('ArrowDown')
    await isRowFocused(viewer, 'second')
    await keyboard.press('j')
    await isRowFocused(viewer, 'third')
    await keyboard.press('k')
    await isRowFocused(viewer, 'second')
    await keyboard.press('Enter')
    await viewer.expectFocusInTerminal()
    await keyboard.press('Control+Shift+Enter')
    await viewer.waitForBanner('You have the keyboard')
    await viewer.type('cat -v')
    await viewer
      .row('second')
      .filter({ hasText: /\d+ m?s/ })
      .waitFor()
    // Escape and Tab are the program's.
    await keyboard.press('Escape')
    await keyboard.press('Tab')
    await keyboard.type('|')
    await keyboard.press('Enter')
    await viewer.waitForOutput(/\^\[\s+\|/)
    await keyboard.press('Control+D')
    await viewer.commandBar.filter({ hasText: 'exit 0' }).waitFor()
    await keyboard.press('Control+Shift+Enter')
    await viewer.waitForBanner('Nobody types')
    await keyboard.press('Control+Shift+L')
    await isRowFocused(viewer, 'second')
  })

  it('leave a terminal by Tab where nothing is typed', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.select('first')
    await viewer.expectFocusInTerminal()
    await viewer.page.keyboard.press('Tab')
    expect(await viewer.focused()).toBe('Previous command')
    await viewer.page.keyboard.press('Shift+Tab')
    await viewer.expectFocusInTerminal()
  })

  it('open help, a new terminal, a new name, disposal and search, and Escape closes each', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    const { keyboard } = viewer.page
    await viewer.row('first').focus()
    for (const [key, title] of [
      ['?', 'Keys and settings'],
      ['n', 'New terminal'],
      ['r', 'Rename the terminal'],
      ['Delete', 'Dispose of the terminal?'],
    ] as const) {
      await keyboard.press(key)
      await viewer.page.getByRole('dialog', { name: title }).waitFor()
      await keyboard.press('Escape')
      await viewer.page.getByRole('dialog').waitFor({ state: 'detached' })
      await isRowFocused(viewer, 'first')
    }
    await keyboard.press('/')
    await viewer.page.getByRole('textbox', { name: 'Search the output' }).waitFor()
    await keyboard.press('Escape')
    await viewer.expectFocusInTerminal()
  })

  it('are listed in the help as they are', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.button('Help').click()
    const dialog = viewer.page.getByRole('dialog', { name: 'Keys and settings' })
    for (const keys of ['Ctrl+Shift+L', 'Ctrl+Shift+Enter', 'Ctrl+Shift+F', '?']) {
      await dialog.getByText(keys, { exact: true }).waitFor()
    }
  })

  it('scroll where nothing is typed', async () => {
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.select('third')
    await viewer.takeOver()
    await viewer.type('seq 1 500')
    await viewer.waitForOutput('500')
    await viewer.page.keyboard.press('Control+Shift+Enter')
    await viewer.waitForBanner('Nobody types')
    await viewer.page.keyboard.press('Home')
    await viewer.waitForOutput('seq 1 500')
    await viewer.page.keyboard.press('End')
    await viewer.waitForOutput('499')
  })
})
