import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

/**
 * Make one file that plain Node runs of a TypeScript program and the sources it imports. Packages stay outside and are found
 * from where the file lies.
 */
export async function bundleProgram(entry: string): Promise<{ readonly path: string; release(): Promise<void> }> {
  await mkdir(MODULES, { recursive: true })
  const outDir = await mkdtemp(join(MODULES, '.test-program-'))
  await build({
    configFile: false,
    root: dirname(entry),
    logLevel: 'silent',
    build: { ssr: entry, outDir, emptyOutDir: false, rolldownOptions: { output: { entryFileNames: 'program.mjs' } } },
  })
  return { path: join(outDir, 'program.mjs'), release: () => rm(outDir, { recursive: true, force: true }) }
}
