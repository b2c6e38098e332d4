// Fails when a package imports against the direction of knowledge, when a cycle appears, or when a core module leaves
// its folder. The rules are in .dependency-cruiser.mjs; that core modules see no Node types is their tsconfig's doing.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import rules from '../.dependency-cruiser.mjs'
import { listPackages, root } from './packages.mjs'

process.chdir(root)
const { output, exitCode } = await cruise(
  ['packages', 'bench', 'testing'],
  {
    validate: true,
    ruleSet: { forbidden: rules.forbidden },
    outputType: 'err',
    ...rules.options,
  },
  rules.options.enhancedResolveOptions,
)
let failed = exitCode !== 0
console.log(output.trim())

for (const { dir, folder } of listPackages()) {
  for (const pure of ['core', 'protocol']) {
    const sources = join(dir, 'src', pure)
    if (!existsSync(sources)) continue
    const file = join(sources, 'tsconfig.json')
    const types = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).compilerOptions?.types : undefined
    if (Array.isArray(types) && types.length === 0) continue
    console.error(
      `${folder}/src/${pure} needs its own tsconfig.json with "types": [], so that the compiler refuses Node.`,
    )
    failed = true
  }
}
process.exit(failed ? 1 : 0)
