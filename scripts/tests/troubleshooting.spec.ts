import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SANDBOX_ERROR_CODES } from '../../packages/host/sandbox/src/contract.js'
import { Config as SubprocessConfig } from '../../packages/host/subprocess/src/config.js'
import { SUBPROCESS_ERROR_CODES } from '../../packages/host/subprocess/src/contract.js'
import { Config as TerminalConfig } from '../../packages/terminal/terminal/src/config.js'
import { TERMINAL_ERRORS } from '../../packages/terminal/terminal/src/errors.js'
import { Config as BashConfig } from '../../packages/terminal/terminal-bash/src/config.js'
import { Config as ToolConfig } from '../../packages/terminal/tool-terminal/src/config.js'
import { TOOL_TERMINAL_ERRORS } from '../../packages/terminal/tool-terminal/src/errors.js'
import { root } from '../packages.mjs'

const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('|---'))

/** Sources as one text, with literals that were broken over lines put together again. */
const sources = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /^[^/]+\/[^/]+\/src\/.*\.ts$/.test(path))
  .map((path) => readFileSync(join(root, 'packages', path), 'utf8'))
  .join('\n')
  .replaceAll(/['`] \+\n\s*['`]/g, '')

it('names only error codes that exist', () => {
  const known = new Set<string>([
    ...Object.keys(TERMINAL_ERRORS),
    ...Object.keys(TOOL_TERMINAL_ERRORS),
    ...SUBPROCESS_ERROR_CODES,
    ...SANDBOX_ERROR_CODES,
  ])
  const named = [...page.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code = '']) => code)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((code) => !known.has(code) && !/PAGER|AGENT_/.test(code))).toEqual([])
})

it('names only configuration that exists', () => {
  const known = new Set(
    [SubprocessConfig, TerminalConfig, BashConfig, ToolConfig].flatMap((config) =>
      Object.keys(config.def.innerType.shape),
    ),
  )
  const named = [...page.matchAll(/`([a-z]+(?:[A-Z]\w*)*(?:Ms|Lines|Bytes|PerOwner|Background))`/g)].map(
    ([, name = '']) => name,
  )
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

it('quotes what the tools say word for word', () => {
  const quotes = rows.flatMap((row) => {
    const said = row.split(' | ')[1] ?? ''
    return [...said.matchAll(/`([^`]+)`/g)].flatMap(([, quote = '']) => quote.split('…').map((part) => part.trim()))
  })
  const sentences = quotes.filter((quote) => quote.includes(' '))
  expect(sentences.length).toBeGreaterThan(15)
  expect(sentences.filter((quote) => !sources.includes(quote))).toEqual([])
})
