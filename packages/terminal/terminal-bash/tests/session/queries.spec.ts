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

/** Ask, and print what came back with visible escapes. */
const ask = (question: string, end: string) =>
  sendTo(session, `printf '${question}'; IFS= read -rsd '${end}' -t 5 answer; printf '%q\\n' "$answer"`)

describe('a question to the terminal', () => {
  it('is answered while somebody reads (B082)', async () => {
    const result = await sendTo(session, `printf '\\033[6n'; read -rsd R x; echo got`)
    expect(result).toMatchObject({ viewport: { text: 'got\n' }, exitCode: 0 })
  })

  it('about the cursor is answered by where it is', async () => {
    await sendTo(session, 'clear')
    // The command’s own line is on the first row, right after clear; its output on the second.
    expect((await ask('abc\\033[6n', 'R')).viewport.text).toBe("abc$'\\E[2;4'\n")
  })

  it.each([
    ['\\033[c', 'c', "$'\\E[?62;22'\n"],
    ['\\033[>c', 'c', "$'\\E[>0;276;0'\n"],
    ['\\033[5n', 'n', "$'\\E[0'\n"],
    ['\\033[?12$p', 'y', "$'\\E[?12;0$'\n"],
    ['\\033]11;?\\007', '\\', "$'\\E]11;rgb:0000/0000/0000\\E'\n"],
  ])('%s has an answer', async (question, end, answer) => {
    expect((await ask(question, end)).viewport.text).toBe(answer)
  })

  it('whose asker has gone is never typed at the prompt, however often', async () => {
    for (let round = 0; round < 25; round++) {
      expect(await sendTo(session, `printf '\\033[6n\\033[c\\033[>c\\033]11;?\\007'`)).toMatchObject({
        state: 'prompt',
      })
    }
    const result = await sendTo(session, 'echo clean')
    expect(result).toMatchObject({ viewport: { text: 'clean\n' }, exitCode: 0 })
  })

  it('is answered once for each time it is asked', async () => {
    const result = await sendTo(
      session,
      `printf '\\033[5n\\033[5n'; read -rsn4 -t5 a; read -rsn4 -t5 b; sleep 0.2; read -t0 && c=more; printf '%q %q %s\\n' "$a" "$b" "$c"`,
    )
    expect(result.viewport.text).toBe("$'\\E[0n' $'\\E[0n' \n")
  })
})
