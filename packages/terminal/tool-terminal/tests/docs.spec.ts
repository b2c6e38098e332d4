import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { renderToolDocs, TOOL_DOCS_PATH } from '../../../../scripts/tool-docs.js'

it('docs/tools.md equals the code (node scripts/generate-docs.mjs)', () => {
  expect(readFileSync(TOOL_DOCS_PATH, 'utf8')).toBe(renderToolDocs())
})
