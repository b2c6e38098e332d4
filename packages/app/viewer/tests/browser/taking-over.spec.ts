import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, NEEDS, useBrowser } from './support/browser.js'
import { AgentShell, ViewerHouse } from './support/viewer-house.js'
import { ViewerPage } from './support/viewer-page.js'

useBaseline()

describe.skipIf(chromiumPath === undefined)(`taking over ${NEEDS}`, () => {
  const browser = useBrowser()
  let house: ViewerHouse
  beforeAll(async () => {
    house = await ViewerHouse.build()
  })
  afterAll(() => house.dispose())

  const sizeOf = (shell: AgentShell) =>
    house.root.terminals.list(shell.agent).find(({ sessionId }) => sessionId === shell.sessionId)?.size

  it('takes the keyboard from an agent at work, and gives it back to go on', async () => {
    const shell = await AgentShell.open(house, 'at-work')
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.select('at-work')
    await viewer.waitForBanner('Nobody types')
    const before = sizeOf(shell)

    const go = join(house.directory, 'go')
    const command = `while [ ! -e ${go} ]; do sleep 0.1; done; read -r answer; echo "[$answer]"`
    const working = shell.send(command, { timeoutMs: 60_000 })
    await viewer.waitForBanner(/^Agent session [0-9a-f]{8} is running a command/)
    await viewer.row('at-work').filter({ hasText: 'Agent at work' }).waitFor()
    await viewer.takeOver()
    // The call of the agent has come back at once, and says why.
    expect(await working).toContain('A person has sent this to the background')
    expect(await shell.send('echo not now')).toContain('CLAIMED_BY_CLIENT')

    await viewer.expectFocusInTerminal()
    await writeFile(go, '')
    await viewer.type('typed by hand')
    await viewer.waitForOutput('[typed by hand]')
    await waitUntil('the program has the size of the page', () => sizeOf(shell)?.columns !== before?.columns)

    await viewer.button('Hand back').click()
    await viewer.waitForBanner('Nobody types')
    await waitUntil('the program has its size again', () => sizeOf(shell)?.columns === before?.columns)
    expect(sizeOf(shell)).toEqual(before)
    expect(await shell.send('echo "agent again: $answer"')).toContain('agent again: typed by hand')
    await viewer.waitForOutput('agent again: typed by hand')
    expect(browser.complaints).toEqual([])
    await shell.agent.dispose()
  })

  it('detaches a running command, and leaves the keyboard to nobody', async () => {
    const shell = await AgentShell.open(house, 'detached')
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.select('detached')
    const working = shell.send('sleep 300', { timeoutMs: 600_000 })
    await viewer.waitForBanner('is running a command')
    await viewer.button('Detach').click()
    expect(await working).toContain('A person has sent this to the background')
    await viewer.waitForBanner('Nobody types')
    await shell.agent.dispose()
  })

  it('types nothing without the keyboard, and says how to get it', async () => {
    const shell = await AgentShell.open(house, 'look-only')
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.select('look-only')
    await viewer.waitForBanner('Nobody types')
    await viewer.type('echo smuggled')
    await viewer.waitForNotice('take the keyboard first')
    expect(await shell.send('echo done')).not.toContain('smuggled')
    await viewer.waitForOutput('done')
    expect(await viewer.output.textContent()).not.toContain('smuggled')
    await shell.agent.dispose()
  })

  it('shows who was first when two want it, and why the other is refused', async () => {
    const shell = await AgentShell.open(house, 'wanted')
    const first = await ViewerPage.open(await browser.page(), house)
    const second = await ViewerPage.open(await browser.page(), house)
    for (const viewer of [first, second]) await viewer.select('wanted')
    await first.takeOver()
    await second.waitForBanner('Another viewer has the keyboard')
    await second.row('wanted').filter({ hasText: 'Another viewer has the keyboard' }).waitFor()
    await second.button('Take over').click()
    await second.waitForNotice('Could not take the keyboard')
    await second.waitForBanner('Another viewer has the keyboard')
    await first.button('Hand back').click()
    await second.waitForBanner('Nobody types')
    await second.takeOver()
    await first.waitForBanner('Another viewer has the keyboard')
    await shell.agent.dispose()
  })

  it('keeps the keyboard over a reload, and knows whom to give it back to', async () => {
    const shell = await AgentShell.open(house, 'reloaded')
    const viewer = await ViewerPage.open(await browser.page(), house)
    await viewer.select('reloaded')
    await viewer.takeOver()
    await viewer.page.reload()
    await viewer.page.getByRole('heading', { name: 'reloaded' }).waitFor()
    await viewer.waitForBanner('You have the keyboard')
    await viewer.button('Hand back').click()
    await viewer.waitForBanner('Nobody types')
    expect(await shell.send('echo mine again')).toContain('mine again')
    await shell.agent.dispose()
  })

  it('pastes more than one message can carry', async () => {
    const shell = await AgentShell.open(house, 'paste')
    const viewer = await ViewerPage.open(
      await browser.page({ permissions: ['clipboard-read', 'clipboard-write'] }),
      house,
    )
    await viewer.select('paste')
    await viewer.takeOver()
    await viewer.type('stty -echo; wc -c; stty echo')
    await viewer.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify('0123456789\n'.repeat(9_000))})`)
    await viewer.page.keyboard.press('Control+Shift+V')
    await viewer.page.keyboard.press('Control+D')
    await viewer.waitForOutput('99000')
    await shell.agent.dispose()
  })
})
