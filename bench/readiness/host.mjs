/** The real plugins in this process, without a sandbox, and one owner. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import { Context } from '@deepseek-ai/cordis'

const unconfined = {
  resolve: () => ({ mode: 'danger-full-access', workspaceRoot: '/', network: 'allow' }),
  setMode() {},
  fence: () => () => {},
}

export async function startHost(config = {}) {
  const ctx = new Context()
  ctx.provide('sandboxPolicy', unconfined)
  await ctx.plugin(subprocess, {})
  await ctx.plugin(terminal, { maxSessionsPerOwner: 64, maxPendingSpawnsPerOwner: 64 })
  await ctx.plugin(terminalBash, config)
  const directory = mkdtempSync(join(tmpdir(), 'bench-'))
  const owner = { id: 'bench', ctx, cwd: directory }
  return {
    subprocess: ctx.subprocess,
    async open() {
      // Programs that are ended leave files where they were (`ed` an `ed.hup`, nano a lock), which the next of its kind would ask about.
      const cwd = mkdtempSync(join(directory, 'terminal-'))
      const { sessionId } = await ctx.terminals.spawn(owner, { type: 'shell', cwd })
      return {
        start: (request) => ctx.terminals.send(owner, sessionId, request),
        async send(text) {
          const outcome = await ctx.terminals.send(owner, sessionId, { text, submit: true }).outcome
          if (outcome.kind !== 'settled') throw new Error(`the send was ${outcome.kind}`, { cause: outcome.error })
          return outcome.result
        },
        close: () => ctx.terminals.close(owner, sessionId),
      }
    },
    async close() {
      await ctx.fiber.dispose()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
