/** The page in the words of somebody who uses it. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ViewerHouse } from './viewer-house.js'

export class ViewerPage {
  constructor(readonly page: Page) {}

  /** Signed in, with the list there. */
  static async open(page: Page, house: ViewerHouse): Promise<ViewerPage> {
    await page.goto(house.link())
    const viewer = new ViewerPage(page)
    await viewer.rows.or(viewer.list.getByText('No terminals yet')).first().waitFor()
    return viewer
  }

  get list(): Locator {
    return this.page.getByRole('navigation', { name: 'Terminals' })
  }

  get rows(): Locator {
    return this.list.locator('.row')
  }

  row(title: string): Locator {
    return this.rows.filter({ has: this.page.getByText(title, { exact: true }) })
  }

  get banner(): Locator {
    return this.page.getByRole('region', { name: 'Keyboard' })
  }

  get output(): Locator {
    return this.page.locator('.xterm-rows')
  }

  get commandBar(): Locator {
    return this.page.locator('.command-bar')
  }

  get size(): Locator {
    return this.commandBar.locator('.command-size')
  }

  get marks(): Locator {
    return this.page.locator('.gutter-mark')
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  async select(title: string): Promise<void> {
    await this.row(title).click()
    await this.page.getByRole('heading', { name: title, exact: true }).waitFor()
    await this.output.waitFor()
  }

  /** Until the screen shows a text. */
  async waitForOutput(text: string | RegExp): Promise<void> {
    await this.output.filter({ hasText: text }).waitFor()
  }

  async waitForBanner(text: string | RegExp): Promise<void> {
    await this.banner.filter({ hasText: text }).waitFor()
  }

  async waitForNotice(text: string | RegExp): Promise<void> {
    await this.page.locator('.notice').filter({ hasText: text }).waitFor()
  }

  async takeOver(): Promise<void> {
    await this.button('Take over').click()
    await this.waitForBanner('You have the keyboard')
  }

  /** One line and Enter. */
  async type(line: string): Promise<void> {
    await this.page.keyboard.type(line)
    await this.page.keyboard.press('Enter')
  }

  /** What the element with the focus is. */
  focused(): Promise<string> {
    return this.page.evaluate<string>(
      "(() => { const e = document.activeElement; return e ? (e.getAttribute('aria-label') || e.textContent || e.tagName) : '' })()",
    )
  }

  async expectFocusInTerminal(): Promise<void> {
    await expect
      .poll(() => this.page.evaluate<boolean>("document.activeElement?.closest('.xterm') !== null"))
      .toBe(true)
  }
}
