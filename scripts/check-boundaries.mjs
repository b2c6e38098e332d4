// Fails when a package imports against the direction of knowledge, when a cycle appears, or when a core module imports Node.
import { findViolations } from './boundaries.mjs'
import { root } from './packages.mjs'

const violations = await findViolations(root, ['packages', 'bench', 'testing'])
for (const violation of violations) console.error(violation)
console.log(violations.length === 0 ? 'boundaries: kept' : `boundaries: ${violations.length} violations`)
process.exit(violations.length === 0 ? 0 : 1)
