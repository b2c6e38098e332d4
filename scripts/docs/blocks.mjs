// Code blocks that claim to run: ```ts run and ```sh run. A block ```text output that follows is what they print, exactly.
import { execFileSync } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { runnerImport } from 'vite'

/** @returns {{ language: string, code: string, line: number, output: string | undefined }[]} */
export function findRunnableBlocks({ blocks }) {
  return blocks.flatMap(({ info, code, line }, index) => {
    const [language, claim] = info.split(/\s+/)
    if (claim !== 'run') return []
    const next = blocks[index + 1]
    return [{ language, code, line, output: next?.info === 'text output' ? next.code : undefined }]
  })
}

/**
 * Run a block as if it were a file beside its page.
 * @returns what it printed.
 */
export async function runBlock({ language, code, line }, page) {
  if (language === 'sh') return execFileSync('bash', ['-euc', code], { cwd: dirname(page), encoding: 'utf8' })
  if (language !== 'ts') throw new Error(`${page}:${line}: a block in ${language} cannot be run here`)
  const id = join(dirname(page), `${basename(page, '.md')}-${line}.ts`)
  const printed = []
  const original = console.log
  console.log = (...values) => void printed.push(`${values.join(' ')}\n`)
  try {
    await runnerImport(id, {
      configFile: false,
      logLevel: 'error',
      oxc: { target: 'node20' },
      plugins: [
        {
          name: 'block',
          enforce: 'pre',
          resolveId: (source) => (source === id ? id : undefined),
          load: (source) => (source === id ? code : undefined),
        },
      ],
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
  } finally {
    console.log = original
  }
  return printed.join('')
}
