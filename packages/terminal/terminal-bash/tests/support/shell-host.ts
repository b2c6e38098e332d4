/** A host around the backend: real processes, the real service, no sandbox unless a test brings one. */

import type { SandboxPolicyService } from '@agent-terminals/sandbox/contract'
import * as subprocess from '@agent-terminals/subprocess'
import type {
  OpenedSession,
  SendOutcome,
  SendRequest,
  SendResult,
  TerminalEvent,
  TerminalOwner,
  TerminalSend,
} from '@agent-terminals/terminal'
import * as terminal from '@agent-terminals/terminal'
import { Context } from '@deepseek-ai/cordis'
import * as terminalBash from '../../src/index.js'

/** Every session runs unconfined. */
const openPolicy: SandboxPolicyService = {
  resolve: () => ({ mode: 'danger-full-access', workspaceRoot: '/', network: 'allow' }),
  setMode() {},
  fence: () => () => {},
}

export interface ShellHost {
  readonly ctx: Context
  open(options?: { readonly cwd?: string; readonly signal?: AbortSignal }): Promise<Terminal>
  close(): Promise<void>
}

export async function startShellHost(config: Record<string, unknown> = {}): Promise<ShellHost> {
  const ctx = new Context()
  ctx.provide('sandboxPolicy', openPolicy)
  await ctx.plugin(subprocess, subprocess.Config.parse({}))
  await ctx.plugin(terminal, terminal.Config.parse({}))
  await ctx.plugin(terminalBash, terminalBash.Config.parse(config))
  const owner: TerminalOwner = { id: 'test', ctx, cwd: process.cwd() }
  return {
    ctx,
    open: async ({ cwd, signal } = {}) => {
      const opened = await ctx.terminals.spawn(owner, {
        type: 'shell',
        ...(cwd === undefined ? {} : { cwd }),
        ...(signal ? { signal } : {}),
      })
      return new Terminal(ctx, owner, opened)
    },
    close: () => ctx.fiber.dispose(),
  }
}

/** One open terminal, in the words of a test. */
export class Terminal {
  readonly events: TerminalEvent[] = []
  onEvent: ((event: TerminalEvent) => void) | undefined

  constructor(
    private readonly ctx: Context,
    readonly owner: TerminalOwner,
    readonly opened: OpenedSession,
  ) {
    ctx.terminals.observers.on(opened.sessionId, (_id, event) => {
      this.events.push(event)
      this.onEvent?.(event)
    })
  }

  start(text: string, options: Partial<SendRequest> = {}): TerminalSend {
    return this.ctx.terminals.send(this.owner, this.opened.sessionId, { text, submit: true, ...options })
  }

  async outcome(text: string, options: Partial<SendRequest> = {}): Promise<SendOutcome> {
    return this.start(text, options).outcome
  }

  /** @throws unless the send settles. */
  async send(text: string, options: Partial<SendRequest> = {}): Promise<SendResult> {
    const outcome = await this.outcome(text, options)
    if (outcome.kind === 'settled') return outcome.result
    throw outcome.kind === 'failed' ? outcome.error : new Error(`the send was cancelled: ${String(outcome.reason)}`)
  }

  read(request = {}) {
    return this.ctx.terminals.read(this.owner, this.opened.sessionId, request)
  }

  signal(signal: Parameters<Context['terminals']['signal']>[2]) {
    return this.ctx.terminals.signal(this.owner, this.opened.sessionId, signal)
  }

  get summary() {
    return this.ctx.terminals.get(this.owner, this.opened.sessionId)
  }

  close() {
    return this.ctx.terminals.close(this.owner, this.opened.sessionId)
  }
}
