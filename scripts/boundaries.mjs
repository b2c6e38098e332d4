// The direction of knowledge as a function of a tree. The rules are in .dependency-cruiser.mjs; that core modules see no
// Node types is their tsconfig's doing, and that they have one is checked here.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import rules from '../.dependency-cruiser.mjs'

const PURE_FOLDERS = ['core', 'protocol']

function findUnguardedCores(root) {
  return readdirSync(join(root, 'packages'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && PURE_FOLDERS.includes(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((folder) => /[\\/]src[\\/][^\\/]+$/.test(folder) && !folder.includes('node_modules'))
    .filter((folder) => {
      const file = join(folder, 'tsconfig.json')
      const types = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).compilerOptions?.types : undefined
      return !Array.isArray(types) || types.length > 0
    })
    .map((folder) => `${folder} needs its own tsconfig.json with "types": [], so that the compiler refuses Node`)
}

/**
 * @param root folder that holds `packages/`.
 * @param folders what to read, relative to it.
 * @returns one sentence per violation.
 */
export async function findViolations(root, folders) {
  const { output } = await cruise(
    folders,
    { ...rules.options, baseDir: root, validate: true, ruleSet: { forbidden: rules.forbidden } },
    rules.options.enhancedResolveOptions,
  )
  const violations = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  return [...violations, ...findUnguardedCores(root)]
}
