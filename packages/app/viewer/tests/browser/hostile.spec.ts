import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import type { BrowserContextOptions, Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, NEEDS, useBrowser } from './support/browser.js'
import { AgentShell, ViewerHouse } from './support/viewer-house.js'
import { ViewerPage } from './support/viewer-page.js'

useBaseline()

/** On a machine that has too little for a flood, the browser's part of it may take this long, in milliseconds. */
const FLOOD_PATIENCE_MS = 90_000

/** Ctrl+C, as a person does: again when the page says that the connection broke under it, as it does for one that falls far behind. */
async function interrupt(viewer: ViewerPage): Promise<void> {
  const stopped = viewer.commandBar.filter({ hasText: 'exit 130' })
  const lost = viewer.page.locator('.notice').filter({ hasText: 'The connection broke' })
  for (;;) {
    await viewer.waitForBanner('You have the keyboard')
    await viewer.page.keyboard.press('Control+C')
    await stopped.or(lost).first().waitFor({ timeout: FLOOD_PATIENCE_MS })
    if (await stopped.isVisible()) return
    await lost.first().getByRole('button').click()
    await viewer.page.locator('.area').click()
  }
}

describe.skipIf(chromiumPath === undefined)(`hostile output ${NEEDS}`, () => {
  const browser = useBrowser()
  let house: ViewerHouse
  let shell: AgentShell
  beforeAll(async () => {
    house = await ViewerHouse.build()
  })
  afterAll(() => house.dispose())
  let number = 0
  beforeEach(async () => {
    // What a person held stays in the list when its agent ends: every test has its own.
    shell = await AgentShell.open(house, `hostile-${++number}`)
  })
  afterEach(() => shell.agent.dispose())

  const print = (text: string) => shell.send(`printf '%b' '${text}'; echo`)
  const open = async (options?: BrowserContextOptions): Promise<ViewerPage> => {
    const viewer = await ViewerPage.open(await browser.page(options), house)
    await viewer.select(`hostile-${number}`)
    return viewer
  }
  const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

  it('does not reach the clipboard by OSC 52', async () => {
    const viewer = await open(clipboard)
    await viewer.takeOver()
    await viewer.page.evaluate("navigator.clipboard.writeText('what was there')")
    await viewer.type(String.raw`printf '\033]52;c;c3RvbGVu\a\033]52;c;?\a\033]52;p;c3RvbGVu\033\\'; echo end of it`)
    await viewer.waitForOutput(/^(?=.*end of it'?)(?!.*stolen)/s)
    await viewer.commandBar.filter({ hasText: 'exit 0' }).waitFor()
    expect(await viewer.page.evaluate<string>('navigator.clipboard.readText()')).toBe('what was there')
    expect(browser.complaints).toEqual([])
  })

  it('shows titles, names and commands as text', async () => {
    const viewer = await open()
    const title = '<img src=x onerror="window.pwned=1">'
    await print(String.raw`\033]2;${title}\a`)
    await viewer.page.getByRole('heading', { name: title }).waitFor()
    await viewer.row(title).waitFor()
    expect(await viewer.page.title()).toContain(title)
    await shell.send('echo "<script>window.pwned=1</script>"')
    await viewer.waitForOutput('<script>window.pwned=1</script>')
    await viewer.commandBar.filter({ hasText: '<script>' }).waitFor()
    expect(await viewer.page.locator('img, body script').count()).toBe(0)
    expect(await viewer.page.evaluate<boolean>("'pwned' in window")).toBe(false)
    expect(browser.complaints).toEqual([])
  })

  describe('links', () => {
    const osc8 = (target: string, text: string) => String.raw`\033]8;;${target}\a${text}\033]8;;\a`
    const pointAt = async (viewer: ViewerPage, link: Locator) => {
      const box = await link.boundingBox()
      if (!box) throw new Error('the link is not drawn')
      await viewer.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    }

    it('show where they lead, and open with a modifier only', async () => {
      const viewer = await open()
      const { page } = viewer
      await page.context().route('https://linked.test/**', (route) => route.fulfill({ body: 'linked' }))
      await print(osc8('https://linked.test/real', 'CLICK-HERE'))
      const link = viewer.output.getByText('CLICK-HERE', { exact: true })
      await pointAt(viewer, link)
      const target = page.locator('.target')
      await target.filter({ hasText: 'https://linked.test/real  ·  Ctrl+click opens it' }).waitFor()
      const opened: string[] = []
      page.context().on('page', (popup) => opened.push(popup.url()))
      await page.mouse.down()
      await page.mouse.up()
      const popup = page.context().waitForEvent('page')
      await page.keyboard.down('Control')
      await page.mouse.down()
      await page.mouse.up()
      await page.keyboard.up('Control')
      const linked = await popup
      await linked.getByText('linked').waitFor()
      // The click without a modifier came first, and opened nothing.
      expect(opened).toHaveLength(1)
      expect(await linked.evaluate<boolean>('window.opener === null')).toBe(true)
      expect(await linked.evaluate<string>('document.referrer')).toBe('')
      await page.mouse.move(0, 0)
      await target.waitFor({ state: 'hidden' })
    })

    it('to anything but pages of the web are shown, and never opened', async () => {
      const viewer = await open()
      const { page } = viewer
      await print(`${osc8('javascript:window.pwned=1', 'RUN-ME')} ${osc8('file:///etc/passwd', 'READ-ME')}`)
      const opened: string[] = []
      page.context().on('page', (popup) => opened.push(popup.url()))
      for (const [text, target] of [
        ['RUN-ME', 'javascript:window.pwned=1'],
        ['READ-ME', 'file:///etc/passwd'],
      ] as const) {
        await pointAt(viewer, viewer.output.getByText(text, { exact: true }))
        await page
          .locator('.target')
          .filter({ hasText: `${target}  ·  not opened` })
          .waitFor()
        await page.keyboard.down('Control')
        await page.mouse.down()
        await page.mouse.up()
        await page.keyboard.up('Control')
      }
      expect(await page.evaluate<boolean>("'pwned' in window")).toBe(false)
      expect(opened).toEqual([])
      expect(browser.complaints).toEqual([])
    })
  })

  it('gets one answer to a question, however many pages look on, and none from a replay', async () => {
    const viewer = await open()
    const other = await open()
    const program = join(house.directory, 'ask.py')
    await writeFile(
      program,
      [
        'import os, sys, termios, tty',
        'before = termios.tcgetattr(0)',
        'tty.setraw(0)',
        // Position, colours, kind, modes, and reports of focus, which are themselves an answer.
        String.raw`sys.stdout.write("\x1b[6n\x1b[?1004h\x1b]11;?\x07\x1b[c\x1b[>c\x1b[?2026$pASKED")`,
        'sys.stdout.flush()',
        'got = b""',
        'while not got.endswith(b"q"): got += os.read(0, 1)',
        'termios.tcsetattr(0, termios.TCSANOW, before)',
        String.raw`print("\x1b[?1004l\r\nreports:", got.count(b"R"), "of", repr(got))`,
      ].join('\n'),
    )
    await viewer.takeOver()
    await viewer.type(`python3 ${program}`)
    await Promise.all([viewer, other].map((each) => each.waitForOutput('ASKED')))
    await viewer.page.reload()
    await viewer.waitForOutput('ASKED')
    await viewer.waitForBanner('You have the keyboard')
    await viewer.page.locator('.area').click()
    await viewer.expectFocusInTerminal()
    // Whatever a page would have answered stands before this.
    await viewer.page.keyboard.press('q')
    await viewer.waitForOutput(/reports: \d/)
    const said = /reports: .*/.exec((await viewer.output.textContent()) ?? '')?.[0] ?? ''
    expect(said).toMatch(/^reports: 1 of/)
    expect(said.match(/rgb:/g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(said.match(/\[\?[\d;]+c/g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(said.match(/\[>[\d;]+c/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })

  it('of endless length leaves the page answering, and the keyboard stops it', {
    timeout: 2 * FLOOD_PATIENCE_MS,
  }, async () => {
    const viewer = await open()
    await viewer.takeOver()
    await viewer.type('yes "$(seq -s " " 1 30)"')
    await viewer.waitForOutput('28 29 30')
    await viewer.page.keyboard.press('Control+Shift+L')
    await viewer.page.keyboard.press('?')
    await viewer.page.getByRole('dialog', { name: 'Keys and settings' }).waitFor()
    await viewer.button('Close').click()
    await viewer.button('Search').click()
    await viewer.page.keyboard.type('30')
    await viewer.page.locator('.find-count').filter({ hasText: /\d/ }).waitFor()
    await viewer.page.keyboard.press('Escape')
    await viewer.expectFocusInTerminal()
    await interrupt(viewer)
    await viewer.type('echo "quiet $((1 + 1))"')
    await viewer.waitForOutput('quiet 2')
    expect(browser.complaints).toEqual([])
  })

  it('of endless length is taken from the agent that started it', { timeout: 2 * FLOOD_PATIENCE_MS }, async () => {
    const viewer = await open()
    const flooding = shell.send('yes "$(seq -s " " 1 30)"', { timeoutMs: 600_000 })
    await viewer.waitForBanner('is running a command')
    await viewer.waitForOutput('28 29 30')
    await viewer.takeOver()
    expect(await flooding).toContain('A person has sent this to the background')
    await viewer.expectFocusInTerminal()
    await interrupt(viewer)
  })

  it('of five million characters leaves the page answering, and is drawn to its end', {
    timeout: 2 * FLOOD_PATIENCE_MS,
  }, async () => {
    const viewer = await open()
    const flood = shell.send('yes 0123456789abcdef | head -c 5000000; echo; echo "end of $((5 * 1000 * 1000))"')
    await viewer.waitForOutput('0123456789abcdef')
    await viewer.page.keyboard.press('Control+Shift+L')
    await viewer.page.keyboard.press('?')
    await viewer.page.getByRole('dialog', { name: 'Keys and settings' }).waitFor()
    await viewer.button('Close').click()
    await viewer.button('Search').click()
    await viewer.page.keyboard.type('end of 5000000')
    await flood
    await viewer.waitForOutput('end of 5000000')
    await viewer.page.locator('.find-count').filter({ hasText: '1 of 1' }).waitFor()
    expect(browser.complaints).toEqual([])
  })

  it('of one line of ten million characters is drawn, searched and resized', {
    timeout: 2 * FLOOD_PATIENCE_MS,
  }, async () => {
    const viewer = await open()
    await shell.send('head -c 10000000 /dev/zero | tr "\\\\0" x; echo needle; echo "end of $((10 * 1000 * 1000))"')
    await viewer.waitForOutput('end of 10000000')
    await viewer.button('Search').click()
    await viewer.page.keyboard.type('needle')
    await viewer.page.locator('.find-count').filter({ hasText: /of \d/ }).waitFor()
    await viewer.page.keyboard.press('Escape')
    await viewer.takeOver()
    await viewer.page.setViewportSize({ width: 800, height: 600 })
    await viewer.type('echo "still $((40 + 2))"')
    await viewer.waitForOutput('still 42')
    expect(browser.complaints).toEqual([])
  })
})
