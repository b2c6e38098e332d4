/** A real bash with our integration on a real PTY, driven without the session layer. */
import { tmpdir } from 'node:os'
import * as subprocess from '@agent-terminals/subprocess'
import type { SubprocessTerminal } from '@agent-terminals/subprocess/contract'
import { Context } from '@deepseek-ai/cordis'
import { planInput } from '../../src/core/input/plan.js'
import { createTerminalOutput } from '../../src/core/output/output.js'
import { EXIT_ACKNOWLEDGEMENT, type ShellEvent } from '../../src/core/shell/events.js'
import { parseShellMark } from '../../src/core/shell/parse-mark.js'
import { type FinishedCommand, type ShellTracking, STARTING, trackShell } from '../../src/core/shell/tracking.js'
import { createNonce, NonceHandover, resolveShellStart, type ShellStartOptions } from '../../src/integration/index.js'

export interface ShellHost {
  open(options?: OpenOptions): Promise<DrivenShell>
  dispose(): Promise<void>
}

export interface OpenOptions extends Partial<ShellStartOptions> {
  readonly env?: Record<string, string | undefined>
  readonly terminalType?: string
  readonly cwd?: string
  /** Leave the acknowledgement of an exit to the test. */
  readonly holdsExit?: boolean
  /** Do not wait for the first prompt. */
  readonly isStarting?: boolean
}

export async function openShellHost(): Promise<ShellHost> {
  const ctx = new Context()
  const fiber = await ctx.plugin(subprocess, {} as subprocess.Config)
  return {
    async open(options = {}) {
      const start = resolveShellStart({ shell: '/bin/bash', loadUserRc: false, ...options })
      const terminal = await ctx.subprocess.spawnTerminal({
        argv: start.argv,
        cwd: options.cwd ?? tmpdir(),
        env: { ...start.env, ...options.env },
        size: { columns: 80, rows: 24 },
        terminalType: options.terminalType ?? 'xterm-256color',
      })
      const shell = new DrivenShell(terminal, options.holdsExit ?? false)
      if (!options.isStarting) await shell.waitFor(() => shell.tracking.phase.kind === 'editing')
      return shell
    },
    dispose: async () => void (await fiber.dispose()),
  }
}

/** What one typed text led to, up to the next complete prompt or the end of the shell. */
export interface RunReport {
  /** Everything outside prompts and the line editor's echo, without carriage returns. */
  readonly output: string
  readonly commands: readonly FinishedCommand[]
}

export class DrivenShell {
  tracking: ShellTracking = STARTING
  readonly events: ShellEvent[] = []
  readonly commands: FinishedCommand[] = []
  readonly nonce = createNonce()
  bracketedPaste = false
  /** All bytes without our marks. */
  raw = ''
  private output = ''
  private isShown = true
  private isStartSeen = true
  private readonly waiters = new Set<() => void>()
  private readonly decoder = new TextDecoder()

  constructor(
    readonly terminal: SubprocessTerminal,
    private readonly holdsExit: boolean,
  ) {
    const handover = new NonceHandover(this.nonce)
    const output = createTerminalOutput({
      nonce: this.nonce,
      columns: 80,
      rows: 24,
      scrollbackLines: 1_000,
      scrollbackMaxBytes: 1_000_000,
      maxReadBytes: 100_000,
    })
    const sink = {
      raw: (bytes: Uint8Array) => this.handleRaw(this.decoder.decode(bytes, { stream: true })),
      mark: (mark: { kind: string; payload: string }) => this.handleMark(parseShellMark(mark)),
      mode: (change: { mode: string; on: boolean }) => {
        if (change.mode === 'bracketed-paste') this.bracketedPaste = change.on
      },
      title: () => {},
      query: () => {},
    }
    terminal.onOutput((chunk) => {
      const step = handover.feed(chunk)
      if (step.reply !== undefined) void terminal.write(step.reply)
      output.feed(step.output, sink)
      this.wake()
    })
    void terminal.exited.then(() => this.wake())
  }

  /** Type text and Enter at the prompt, as the session would. */
  async type(text: string): Promise<void> {
    const plan = planInput({
      text,
      submit: true,
      target: 'prompt',
      bracketedPaste: this.bracketedPaste,
      maxCanonicalBytes: this.terminal.maxCanonicalBytes,
    })
    if (plan.kind === 'refused') throw new Error(plan.message)
    this.tracking = trackShell(this.tracking, { kind: 'typed', text }, performance.now())
    for (const chunk of plan.chunks) await this.terminal.write(chunk)
  }

  /** Type, and wait for the next complete prompt, continuation prompt or the end. */
  async run(text: string): Promise<RunReport> {
    const commands = this.commands.length
    const events = this.events.length
    this.output = ''
    this.isStartSeen = false
    this.isShown = !this.tracking.startsTold
    await this.type(text)
    await this.waitFor(
      () =>
        this.terminal.exit !== undefined ||
        this.events.slice(events).some(({ kind }) => kind === 'prompt-end' || kind === 'continuation'),
    )
    return { output: this.shownText(), commands: this.commands.slice(commands) }
  }

  waitFor(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isTrue()) return
        this.waiters.delete(look)
        resolve()
      }
      this.waiters.add(look)
      look()
    })
  }

  close(): Promise<unknown> {
    return this.terminal.terminate({ graceMs: 500 })
  }

  /** Old bash tells no start of a command in parentheses, nor of any when the user traps DEBUG: then the echo's line is in it. */
  private shownText(): string {
    const text = this.output.replaceAll('\r', '').replaceAll(/\x1b\[\?2004[hl]/g, '')
    return this.isStartSeen ? text : text.slice(text.indexOf('\n') + 1)
  }

  private wake(): void {
    for (const waiter of this.waiters) waiter()
  }

  private handleRaw(text: string): void {
    this.raw += text
    if (this.isShown) this.output += text
  }

  private handleMark(event: ShellEvent | undefined): void {
    if (event === undefined) throw new Error('an authenticated mark could not be parsed')
    const before = this.tracking
    this.events.push(event)
    this.tracking = trackShell(before, event, performance.now())
    if (event.kind === 'command-start') {
      if (!this.isStartSeen) this.output = ''
      this.isStartSeen = true
      this.isShown = true
    }
    if (event.kind === 'prompt-start' && this.tracking.phase.kind === 'prompting') this.isShown = false
    if (this.tracking.finished && this.tracking.finished !== before.finished) this.commands.push(this.tracking.finished)
    if (event.kind === 'exiting' && !this.holdsExit) void this.terminal.write(EXIT_ACKNOWLEDGEMENT)
  }
}
