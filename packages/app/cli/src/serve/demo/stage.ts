/** The demo agent's terminals by name: opened when first needed, and again when a person has ended one. */
import type { Agent } from '@agent-terminals/agents/contract'
import type { TerminalSessions } from '@agent-terminals/terminal'
import { Keyboard } from './keyboard.js'

const WIDE = { columns: 100, rows: 30 }

export class Stage {
  private readonly keyboards = new Map<string, Keyboard>()

  constructor(
    private readonly terminals: TerminalSessions,
    private readonly agent: Agent,
  ) {}

  /** @returns the terminal's keyboard, in the agent's hands. @throws TerminalError, or the signal's reason. */
  async enter(name: string, signal: AbortSignal): Promise<Keyboard> {
    const known = this.keyboards.get(name)
    if (known && (await known.waitForTurn(signal))) return known
    await this.leave(name)
    const isFree = this.terminals.list(this.agent).every((terminal) => terminal.name !== name)
    const { sessionId } = await this.terminals.spawn(this.agent, {
      type: 'shell',
      size: WIDE,
      signal,
      ...(isFree ? { name } : {}),
    })
    const keyboard = new Keyboard(this.terminals, sessionId)
    this.keyboards.set(name, keyboard)
    return keyboard
  }

  /** Let go of a terminal: end it, unless a person works in it. */
  async leave(name: string): Promise<void> {
    const keyboard = this.keyboards.get(name)
    if (!keyboard) return
    this.keyboards.delete(name)
    keyboard.release()
    await this.terminals.close(this.agent, keyboard.sessionId).catch(() => undefined)
  }

  release(): void {
    for (const keyboard of this.keyboards.values()) keyboard.release()
  }
}
