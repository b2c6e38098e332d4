/** Play a composition through the built command line, and write down what the client got in a form that is the same on every run. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { WireUpdate } from '../../../packages/bridge/acp/tests/client/card.js'
import { connectProcess } from '../../../packages/bridge/acp/tests/client/spawned.js'

const bin = fileURLToPath(new URL('../../../packages/app/cli/bin/agent-terminals.js', import.meta.url))

export interface Played {
  /** One line per message; neighbouring pieces of output are joined, since their cut is a matter of time. */
  readonly transcript: string
  readonly violations: readonly string[]
  readonly exitCode: number | null
  readonly errors: string
}

/** @param meta - what the client advertises in `clientCapabilities._meta`. */
export async function playComposition(file: string, meta?: Readonly<Record<string, unknown>>): Promise<Played> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'example-acp-')))
  const config = fileURLToPath(new URL(`../${file}`, import.meta.url))
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(
    process.execPath,
    [bin, 'acp', '--config', config],
    { cwd, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close')
  try {
    const { client } = connectProcess(child, meta ? { meta } : {})
    const sessionId = await client.open(cwd)
    await client.prompt(sessionId)
    const transcript = normalise(renderUpdates(client.updates(sessionId)), cwd)
    const violations = client.violations()
    child.stdin.end()
    const [exitCode] = (await ended) as [number | null]
    return { transcript, violations, exitCode, errors }
  } finally {
    child.kill()
    rmSync(cwd, { recursive: true, force: true })
  }
}

function renderUpdates(updates: readonly WireUpdate[]): string {
  const items: { readonly line?: string; readonly callId?: unknown; data?: string }[] = []
  for (const update of updates) {
    const output = (update._meta?.terminal_output ?? undefined) as { readonly data: string } | undefined
    const last = items.at(-1)
    if (!output) items.push({ line: JSON.stringify(update) })
    else if (last?.data !== undefined && last.callId === update.toolCallId) last.data += output.data
    else items.push({ callId: update.toolCallId, data: output.data })
  }
  return items.map(({ line, callId, data }) => `${line ?? `  ${callId} output ${JSON.stringify(data)}`}\n`).join('')
}

/** Ids, pids, times and the directory of this run. */
function normalise(text: string, cwd: string): string {
  const ids = new Map<string, string>()
  return text
    .replaceAll(cwd, 'CWD')
    .replace(/\bterm-(?!unknown)[a-z0-9]+/g, (id) => {
      const known = ids.get(id) ?? `term-${ids.size + 1}`
      ids.set(id, known)
      return known
    })
    .replace(/\bpid \d+/g, 'pid PID')
    .replace(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'TIME')
}
