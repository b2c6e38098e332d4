import { describe, expect, test } from 'vitest'
import { type CardInput, renderCard } from '../../src/transcript/card.js'
import { createPrinter } from '../../src/transcript/print.js'

const send: CardInput = {
  tool: 'terminal_send',
  presentation: { card: 'terminal', title: 'make test' },
  result: {
    content: [{ type: 'text', text: 'ok 1\nok 2\n' }],
    structured: { waitReason: 'stdin_read', state: 'prompt', exitCode: 0 },
  },
  durationMs: 12.4,
}

const failed: CardInput = {
  tool: 'terminal_open',
  presentation: { card: 'generic', kind: 'execute', title: 'open shell' },
  result: { content: [{ type: 'text', text: '/nowhere does not exist' }], isError: true, code: 'CWD_MISSING' },
  durationMs: 2300,
}

const print = (input: CardInput, hasColor = false) => createPrinter(hasColor).card(renderCard(input))

describe('a card', () => {
  test('shows the title, the output and why the call returned', () => {
    expect(print(send)).toMatchInlineSnapshot(`
      "● terminal_send  make test
      │ ok 1
      │ ok 2
      └ stdin_read · prompt · exit 0 · 12 ms
      "
    `)
  })

  test('shows the code of an error', () => {
    expect(print(failed)).toMatchInlineSnapshot(`
      "● terminal_open  open shell
      │ /nowhere does not exist
      └ CWD_MISSING · 2.3 s
      "
    `)
  })

  test('has no body when nothing was printed', () => {
    expect(print({ ...send, result: { content: [{ type: 'text', text: '' }] } })).toBe(
      '● terminal_send  make test\n└ 12 ms\n',
    )
  })

  test('shows head and tail of long output with a count', () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n')
    const lines = print({ ...send, result: { content: [{ type: 'text', text }] } }).split('\n')
    expect(lines.slice(7, 10)).toEqual(['│ line 7', '│ … 86 lines …', '│ line 94'])
  })

  test('is coloured only when asked', () => {
    expect(print(send)).not.toContain('\u001b')
    expect(print(send, true)).toContain('\u001b[36mterminal_send\u001b[39m')
  })
})
