/** What can be said about the host without a composition. */
import { describePtyLibrary, type PtyLibrary, type PtyTrial, tryPty } from '@agent-terminals/subprocess/diagnostics'
import type { Check } from './report.js'

const MINIMUM_NODE = { major: 20, minor: 19 }
const NO_TERMINALS = 'No terminal can be opened.'

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > MINIMUM_NODE.major || (major === MINIMUM_NODE.major && minor >= MINIMUM_NODE.minor)
  const detail = `${version} on ${process.platform} ${process.arch}`
  if (isEnough) return { name: 'node', status: 'ok', detail }
  return {
    name: 'node',
    status: 'fail',
    detail,
    cost: 'Parts may not load, and nothing is tested with it.',
    advice: 'Install Node 20.19 or newer.',
  }
}

const ORIGINS = { prebuilt: 'prebuilt binary', compiled: 'compiled on this machine' } as const

/** Where the PTY library's native part comes from, and whether it loads. */
export function checkPtyLibrary(library: PtyLibrary = describePtyLibrary()): Check {
  const name = 'pty library'
  switch (library.kind) {
    case 'native':
      return { name, status: 'ok', detail: `node-pty ${library.version}, ${ORIGINS[library.origin]}` }
    case 'portable':
      return {
        name,
        status: 'warn',
        detail: `node-pty ${library.version} has not the native binding that is known`,
        cost: 'Output just before an exit can be lost, exits are told up to 200 ms late, and input is paced.',
        advice: 'Install the version of node-pty that @agent-terminals/subprocess asks for.',
      }
    case 'broken':
      return {
        name,
        status: 'fail',
        detail: library.message,
        cost: NO_TERMINALS,
        advice: 'Install again; without a prebuilt binary it needs python3, make and a C++ compiler.',
      }
  }
}

/** Whether the system gives a PTY. */
export async function checkPty(trial: () => Promise<PtyTrial> = tryPty): Promise<Check> {
  const result = await trial()
  if (result.kind === 'failed') return { name: 'pty', status: 'fail', detail: result.message, cost: NO_TERMINALS }
  return { name: 'pty', status: 'ok', detail: `opens${result.ttyPath === undefined ? '' : ` as ${result.ttyPath}`}` }
}
