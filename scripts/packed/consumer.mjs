// A TypeScript project that imports every entry of every package, and uses one with its types.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../packages.mjs'
import { run } from './project.mjs'

const RESOLUTIONS = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

/** Types that must be what they claim: a lost one would be `any`, and the expected errors would not come. */
const USE = `
import { createTerminals, type SendResult } from '@agent-terminals/embed'
export async function use(): Promise<SendResult> {
  await using terminals = await createTerminals({ terminalBash: { timeoutMs: 1 } })
  // @ts-expect-error a field that does not exist
  await createTerminals({ terminalBash: { timeoutMilliseconds: 1 } })
  // @ts-expect-error a number is no text
  await terminals.send('id', 42)
  return terminals.send('id', 'true')
}
`

function listEntries(packed) {
  return packed.flatMap(({ name, manifest }) =>
    Object.keys(manifest.exports)
      .filter((entry) => entry !== './package.json')
      .map((entry) => name + entry.slice(1)),
  )
}

/** Errors in declarations of other people are not ours: `ai` does not compile under `exactOptionalPropertyTypes`. */
export function findOwnErrors(output) {
  const errors = output.split(/\n(?=\S)/).filter((each) => /^\S+\(\d+,\d+\): error/.test(each) || /^error/.test(each))
  return errors.filter((each) => /^(?:types-\w+\/|node_modules\/@?agent-terminals\/|error)/.test(each))
}

/** @returns {{ resolution: string, errors: string[] }[]} one per way of resolving modules. */
export function checkTypes(node, project, packed) {
  const tsc = createRequire(join(root, 'package.json')).resolve('typescript/bin/tsc')
  const imports = listEntries(packed).map((entry, index) => `import * as entry${index} from '${entry}'`)
  const names = imports.map((_, index) => `entry${index}`)
  const source = `${imports.join('\n')}\nexport const all: readonly object[] = [${names.join(', ')}]\n${USE}`
  return Object.entries(RESOLUTIONS).map(([resolution, options]) => {
    const dir = join(project, `types-${resolution}`)
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'consumer.ts'), source)
    const compilerOptions = {
      ...options,
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable', 'dom'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
    }
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    return { resolution, errors: findOwnErrors(run(node, project, [tsc, '--pretty', 'false', '-p', dir]).output) }
  })
}
