// Runs publint over every package that is published.
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { listPackages } from './packages.mjs'

let problems = 0
for (const { dir, folder, manifest } of listPackages()) {
  if (manifest.private) continue
  const { messages, pkg } = await publint({ pkgDir: dir, strict: true, pack: 'npm' })
  for (const message of messages) {
    problems++
    console.error(`${folder}: ${formatMessage(message, pkg)}`)
  }
}
console.log(problems === 0 ? 'publint: all packages clean' : `publint: ${problems} problems`)
process.exit(problems === 0 ? 0 : 1)
