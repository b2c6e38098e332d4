import type { BackendSession } from '@agent-terminals/terminal'
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BackendHarness, sendTo, startBackendHarness } from '../support/backend.js'

useBaseline()

let harness: BackendHarness
let session: BackendSession
beforeEach(async () => {
  harness = await startBackendHarness()
  session = await harness.open()
})
afterEach(async () => {
  await session.close()
  await harness.close()
})

describe('input at the prompt', () => {
  it('that is keys is followed by Enter where that is asked for', async () => {
    const result = await sendTo(session, '', { keys: [{ text: 'echo hx' }, 'backspace', 'i'], submit: true })
    expect(result).toMatchObject({ state: 'prompt', exitCode: 0, viewport: { text: 'hi\n' } })
  })

  it('that is text and keys types the text first', async () => {
    const result = await sendTo(session, 'echo hi', { keys: ['left', 'left', 't', 'enter'], submit: false })
    expect(result).toMatchObject({ state: 'prompt', exitCode: 0, viewport: { text: 'thi\n' } })
  })

  it('that holds a key of the terminal itself is not taken for lines to be typed one by one', async () => {
    const result = await sendTo(session, 'echo gone\x03')
    expect(result.state).toBe('prompt')
    expect(result.viewport.text).not.toMatch(/^gone$/m)
    expect(await sendTo(session, 'echo next')).toMatchObject({ viewport: { text: 'next\n' }, exitCode: 0 })
  })
})
