import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** One file that plain Node runs, made of a TypeScript program and the sources it imports. */
export interface BundledProgram {
  readonly path: string
  remove(): void
}

/** Bundle a program for a child process of a test. Packages stay outside and are found from where the bundle lies. */
export async function bundleProgram(entry: string): Promise<BundledProgram> {
  mkdirSync(MODULES, { recursive: true })
  const outDir = mkdtempSync(join(MODULES, '.test-program-'))
  await build({
    configFile: false,
    root: dirname(entry),
    logLevel: 'silent',
    build: { ssr: entry, outDir, emptyOutDir: false, rolldownOptions: { output: { entryFileNames: 'program.mjs' } } },
  })
  return { path: join(outDir, 'program.mjs'), remove: () => rmSync(outDir, { recursive: true, force: true }) }
}
