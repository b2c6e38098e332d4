// Puts the transcript of a real run of the demo into the README. Needs a build.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.mjs'

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [join(root, 'packages/app/cli/bin/agent-terminals.js'), 'demo'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
if (status !== 0) {
  console.error(`the demo ended with ${status}; the README stays as it is\n${stdout}${stderr}`)
  process.exit(1)
}
const file = join(root, 'README.md')
// The directory of this machine has no business in the project.
const transcript = stdout.trim().replaceAll(root.replace(/\/$/, ''), '/home/you/agent-terminals')
writeFileSync(
  file,
  readFileSync(file, 'utf8').replace(/```text\n[\s\S]*?```/, () => `\`\`\`text\n${transcript}\n\`\`\``),
)
console.log('README: transcript of this run')
