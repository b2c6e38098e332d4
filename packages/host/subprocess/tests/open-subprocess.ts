/** Helper of the service suites: the plugin in a context of its own. */
import { Context } from '@deepseek-ai/cordis'
import type { SpawnTerminalSpec, SubprocessService, SubprocessTerminal } from '../src/contract.js'
import * as plugin from '../src/index.js'

export interface OpenedSubprocess {
  readonly ctx: Context
  readonly service: SubprocessService
  dispose(): Promise<void>
}

export async function openSubprocess(config: object = {}): Promise<OpenedSubprocess> {
  const ctx = new Context()
  const fiber = await ctx.plugin(plugin, config as plugin.Config)
  return { ctx, service: ctx.subprocess, dispose: async () => void (await fiber.dispose()) }
}

export function createSpec(
  argv: readonly [string, ...string[]],
  overrides?: Partial<SpawnTerminalSpec>,
): SpawnTerminalSpec {
  return { argv, cwd: '/', size: { columns: 80, rows: 24 }, terminalType: 'dumb', ...overrides }
}

/** Collects a terminal's output. */
export function collectOutput(terminal: SubprocessTerminal) {
  const chunks: Uint8Array[] = []
  const waiters = new Set<() => void>()
  const release = terminal.onOutput((chunk) => {
    chunks.push(chunk)
    for (const waiter of waiters) waiter()
  })
  const text = () => Buffer.concat(chunks).toString('utf8')
  return {
    release,
    text,
    waitForText: (wanted: string | RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (typeof wanted === 'string' ? !text().includes(wanted) : !wanted.test(text())) return
          waiters.delete(look)
          resolve()
        }
        waiters.add(look)
        look()
      }),
  }
}
