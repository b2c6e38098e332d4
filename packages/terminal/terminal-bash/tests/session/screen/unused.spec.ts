import { createRequire } from 'node:module'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { expect, it } from 'vitest'
import { Counter, sendTo, startBackendHarness } from '../../support/backend.js'

useBaseline()

/** CommonJS modules that this process has loaded, however they were imported. */
const isLoaded = (name: string) =>
  Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes(`/${name}/`))

it('loads neither emulator nor pattern engine, and sets no timer, before they are used', async () => {
  const harness = await startBackendHarness()
  const counter = new Counter()
  const session = await harness.open({ counter, config: { features: { screen: true } } })
  await sendTo(session, 'ls --color=always / && clear && seq 1 5000')
  await sendTo(session, `python3 -c 'print("line")'`)
  expect(await session.search?.({ pattern: 'line' })).toMatchObject({ matches: expect.arrayContaining([]) })
  expect(isLoaded('@xterm/headless')).toBe(false)
  expect(counter.timers).toBe(0)

  await sendTo(session, `printf '\\033[?1049hdrawn\\033[?1049l'`)
  await waitUntil('the emulator is loaded', () => isLoaded('@xterm/headless'))
  expect(counter.timers).toBe(0)
  await session.close()
  await harness.close()
})

it('shows no screen unless a deployment asks for it', async () => {
  const harness = await startBackendHarness()
  const session = await harness.open()
  const result = await sendTo(session, `printf '\\033[?1049h\\033[5;5Hdrawn'; read -rsn1`)
  expect(result).toMatchObject({ state: 'fullscreen' })
  expect(result.screen).toBeUndefined()
  await expect(session.screen?.({})).rejects.toMatchObject({ code: 'UNSUPPORTED' })
  await session.close()
  await harness.close()
})
