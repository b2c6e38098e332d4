/** One Chromium per file, one context per test. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'

function findOnPath(names: readonly string[]): string | undefined {
  const candidates = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

export const chromiumPath = findOnPath(['chromium', 'chromium-browser', 'google-chrome'])
/** For titles of suites that are skipped without it. */
export const NEEDS = '(needs chromium on the PATH)'

export interface BrowserOfSuite {
  /** A page in a context of its own. */
  page(options?: BrowserContextOptions): Promise<Page>
  /** What pages said on their consoles, and what they failed at, since the test began. */
  readonly complaints: readonly string[]
}

/** Call within the suite, after `useBaseline`. */
export function useBrowser(): BrowserOfSuite {
  let browser: Browser | undefined
  const complaints: string[] = []
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: chromiumPath ?? '',
      // Chromium refuses to run as root with its sandbox; the pages are our own.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    })
  })
  afterEach(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
    complaints.length = 0
  })
  afterAll(() => browser?.close())
  return {
    complaints,
    async page(options = {}) {
      if (!browser) throw new Error('no browser outside the suite')
      const context = await browser.newContext({ viewport: { width: 1200, height: 760 }, ...options })
      context.setDefaultTimeout(20_000)
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      return page
    },
  }
}
