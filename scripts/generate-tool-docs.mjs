// Writes docs/tools.md from the sources. `--check` only compares, and fails with the command to run.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const { module } = await runnerImport(fileURLToPath(new URL('./tool-docs.ts', import.meta.url)), {
  configFile: false,
  environments: {
    inline: {
      resolve: {
        conditions: ['@agent-terminals/source', 'module', 'node'],
        externalConditions: ['@agent-terminals/source', 'node'],
        noExternal: [/^@agent-terminals\//],
      },
    },
  },
})
const { renderToolDocs, TOOL_DOCS_PATH } = module
const text = renderToolDocs()

if (!process.argv.includes('--check')) {
  writeFileSync(TOOL_DOCS_PATH, text)
} else if (readFileSync(TOOL_DOCS_PATH, 'utf8') !== text) {
  console.error('docs/tools.md differs from the code. Run: node scripts/generate-tool-docs.mjs')
  process.exitCode = 1
}
