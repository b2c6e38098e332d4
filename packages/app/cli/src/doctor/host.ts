/** What can be said about the host without starting anything. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Check } from './check.js'

const MINIMUM_NODE = { major: 20, minor: 19 }

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > MINIMUM_NODE.major || (major === MINIMUM_NODE.major && minor >= MINIMUM_NODE.minor)
  const detail = `${version} on ${process.platform} ${process.arch}`
  return isEnough
    ? { name: 'node', status: 'ok', detail }
    : { name: 'node', status: 'fail', detail, advice: 'Install Node 20.19 or newer.' }
}

/** Where the PTY library's native part comes from: shipped in the package, or compiled at installation. */
export function checkPtyLibrary(): Check {
  const name = 'pty library'
  try {
    // Resolved as the subprocess service resolves it: it is that package's dependency.
    const subprocess = createRequire(import.meta.url).resolve('@agent-terminals/subprocess')
    const require = createRequire(subprocess)
    const manifest = require.resolve('node-pty/package.json')
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
    require('node-pty')
    const isCompiled = existsSync(join(dirname(manifest), 'build/Release/pty.node'))
    return { name, status: 'ok', detail: `node-pty ${version}, ${isCompiled ? 'compiled here' : 'prebuilt'}` }
  } catch (error) {
    return {
      name,
      status: 'fail',
      detail: `node-pty cannot be loaded: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
      advice: 'Install again; without a prebuilt binary it needs python3, make and a C++ compiler.',
    }
  }
}
