// Writes docs/tools.md and docs/reference.md from the sources. `--check` only compares, and fails with the command to run.
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { root } from './packages.mjs'

async function load(file) {
  const { module } = await runnerImport(fileURLToPath(new URL(file, import.meta.url)), {
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
  return module
}

const { renderToolDocs, TOOL_DOCS_PATH } = await load('./tool-docs.ts')
const { renderReference, REFERENCE_PATH } = await load('./reference-docs.ts')
const pages = [
  [TOOL_DOCS_PATH, renderToolDocs()],
  [REFERENCE_PATH, renderReference()],
]

for (const [path, text] of pages) {
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text)
  } else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${relative(root, path)} differs from the code. Run: node scripts/generate-docs.mjs`)
    process.exitCode = 1
  }
}
