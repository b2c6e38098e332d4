import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const bin = fileURLToPath(new URL('../bin/agent-terminals.js', import.meta.url))

/** What SIGTERM is answered with when everything could be closed. */
export const INTERRUPTED_WORDS =
  'agent-terminals: SIGTERM: closing what was started.\nagent-terminals: closed; nothing is left running.\n'

export interface CliResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Stop reading standard output, as `head` does, once this many characters have come. */
  readonly closeStdoutAfter?: number
  /** Called with everything printed so far, whenever more arrives; may signal the process. */
  readonly onOutput?: (stdout: string, kill: (signal: NodeJS.Signals) => void) => void
}

/** Run the built command line as a person would. Needs a build: `npm test` makes one first. */
export function runCli(args: readonly string[], options: RunOptions = {}): Promise<CliResult> {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (options.closeStdoutAfter === 0) child.stdout.destroy()
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (stdout.length >= (options.closeStdoutAfter ?? Number.POSITIVE_INFINITY)) child.stdout.destroy()
    options.onOutput?.(stdout, (signal) => child.kill(signal))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}
