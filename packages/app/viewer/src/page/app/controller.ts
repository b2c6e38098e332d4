/** What a person can do, carried out: every refusal is told, and nothing is ever done twice. */
import { CONNECTION_LOST, type DispatchOutcome, type RemoteTerminal } from '@agent-terminals/ahp/client'
import { AhpError } from '@agent-terminals/ahp/protocol'
import { splitInput } from '../core/input.js'
import { renderRefusal, renderUnknown } from '../core/refusal.js'
import { selectedModel, type TerminalModel } from '../core/terminal-model.js'
import { visibleText } from '../core/visible-text.js'
import type { HostLink } from './host-link.js'
import type { Store } from './store.js'

const MAX_INPUT_UNITS = 32_768

interface Size {
  readonly cols: number
  readonly rows: number
}

export interface ControllerOptions {
  readonly store: Store
  readonly clientId: string
  readonly link: () => HostLink | undefined
}

export class Controller {
  /** Sizes before this page took the keyboard, given back with it. */
  private readonly sizesBefore = new Map<string, Size>()
  /** Terminals on their way back to their agents: their size is not this page's any more. */
  private readonly leaving = new Set<string>()

  constructor(private readonly options: ControllerOptions) {}

  get selected(): TerminalModel | undefined {
    return selectedModel(this.options.store.state, this.options.clientId)
  }

  /** @returns whether the keyboard is this page's now. */
  async takeOver({ uri, holder, size }: TerminalModel): Promise<boolean> {
    const terminal = this.find(uri)
    if (!terminal) return false
    // A running call has to let go first; its terminal then is the session's, which anybody may take. Both are asked for at
    // once: in a flood the answer to the first would stand behind all of it.
    if (holder.kind === 'agent-working') void terminal.detach()
    if (!this.report('take the keyboard', await terminal.takeOver())) return false
    if (size) this.sizesBefore.set(uri, size)
    return true
  }

  async handBack({ uri, holder }: TerminalModel): Promise<boolean> {
    const terminal = this.find(uri)
    if (!terminal || holder.kind !== 'me' || !holder.owner) return false
    const size = this.sizesBefore.get(uri)
    this.leaving.add(uri)
    try {
      // The agent finds the screen as wide as it left it. A refusal of this costs nothing.
      if (size) void terminal.resize(size.cols, size.rows)
      const isDone = this.report('hand the keyboard back', await terminal.handOver(holder.owner))
      if (isDone) this.sizesBefore.delete(uri)
      return isDone
    } finally {
      this.leaving.delete(uri)
    }
  }

  async detach({ uri }: TerminalModel): Promise<boolean> {
    const terminal = this.find(uri)
    return terminal !== undefined && this.report('detach', await terminal.detach())
  }

  async toggleKeyboard(): Promise<boolean> {
    const { selected } = this
    if (!selected) return false
    if (selected.holder.kind === 'me') {
      await this.handBack(selected)
      return false
    }
    return this.takeOver(selected)
  }

  input(uri: string, data: string): void {
    const terminal = this.find(uri)
    if (!terminal?.isHeld) return
    for (const piece of splitInput(data, MAX_INPUT_UNITS)) {
      void terminal.input(piece).then((outcome) => this.report('type', outcome))
    }
  }

  resize(uri: string, { cols, rows }: Size): void {
    const terminal = this.find(uri)
    if (!terminal?.isHeld || this.leaving.has(uri)) return
    const { state } = terminal.view
    if (state?.cols === cols && state.rows === rows) return
    void terminal.resize(cols, rows).then((outcome) => this.report('change the size', outcome))
  }

  async rename(uri: string, title: string): Promise<void> {
    const terminal = this.find(uri)
    if (terminal) this.report('rename it', await terminal.rename(title))
  }

  /** @returns whether it was created; then it is selected. */
  async create(options: { readonly name?: string; readonly cwd?: string }): Promise<boolean> {
    const link = this.options.link()
    if (!link) return false
    try {
      const uri = await link.client.createTerminal(options)
      this.options.store.dispatch({ type: 'selected', uri })
      return true
    } catch (error) {
      this.fail('open a terminal', error)
      return false
    }
  }

  async dispose(uri: string): Promise<void> {
    try {
      await this.options.link()?.client.disposeTerminal(uri)
    } catch (error) {
      this.fail('dispose of the terminal', error)
    }
  }

  notify(text: string): void {
    this.options.store.dispatch({ type: 'noticed', tone: 'news', text })
  }

  private find(uri: string): RemoteTerminal | undefined {
    return this.options.link()?.terminal(uri)
  }

  /** @returns whether it was accepted. */
  private report(what: string, outcome: DispatchOutcome): boolean {
    if (outcome.kind === 'accepted') return true
    const text = outcome.kind === 'unknown' ? renderUnknown(what) : renderRefusal(what, outcome.reason)
    this.options.store.dispatch({ type: 'noticed', tone: 'problem', text })
    return false
  }

  private fail(what: string, error: unknown): void {
    const isLost = error instanceof AhpError && error.code === CONNECTION_LOST
    const reason = error instanceof Error ? error.message : String(error)
    const text = isLost ? renderUnknown(what) : `Could not ${what}: ${visibleText(reason)}.`
    this.options.store.dispatch({ type: 'noticed', tone: 'problem', text })
  }
}
