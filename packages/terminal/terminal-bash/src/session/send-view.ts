import type { SendRequest } from '@agent-terminals/terminal'
import type { Fact, ShellEvent, ViewportCollector, ViewportText } from '../core/index.js'
import type { SessionParts } from './parts.js'
import type { Plan } from './plan.js'
import type { StreamFollower } from './stream.js'

/**
 * What one send shows of the output. Neither prompts nor the line editor's echo belong to it: they are left out by position,
 * between the marks that enclose them. The echo of programs has no marks and is recognised by its text.
 */
export class SendView implements StreamFollower {
  private readonly viewport: ViewportCollector
  private readonly decoder = new TextDecoder()
  private readonly release: () => void

  constructor(
    private readonly parts: SessionParts,
    private readonly request: SendRequest,
    private readonly plan: Plan,
    private readonly handleFact: (fact: Fact) => void,
  ) {
    const isEchoed = plan.chunks.length > 0 && !plan.isAtPrompt && this.omitsEcho
    this.viewport = parts.output.startViewport({
      ...(isEchoed ? { echo: request.text } : {}),
      ...(request.onText ? { onLines: request.onText } : {}),
    })
    if (plan.isAtPrompt && plan.chunks.length > 0) this.suppress(true)
    this.release = parts.stream.follow(this)
  }

  get notes(): readonly string[] {
    return this.plan.notes
  }

  onFact(fact: Fact): void {
    // The line editor switches bracketed paste off behind the newline of its echo: what follows is output, also when no
    // command starts (a syntax error).
    if (fact.type === 'mode' && fact.mode === 'bracketed-paste' && !fact.on) this.suppress(false)
    this.handleFact(fact)
  }

  onShellEvent(event: ShellEvent): void {
    switch (event.kind) {
      case 'command-start':
      case 'exiting':
        this.suppress(false)
        return
      case 'continuation':
        this.suppress(true)
        return
      case 'prompt-start':
        // A prompt that a command printed itself is its output.
        if (this.parts.stream.phase !== 'doubtful') this.suppress(true)
        return
      case 'prompt-end':
        // Without input there is no echo to come, only what runs in the background.
        if (this.plan.chunks.length === 0) this.suppress(false)
    }
  }

  onRaw(bytes: Uint8Array): void {
    const { onOutput } = this.request
    if (!onOutput) return
    const text = this.decoder.decode(bytes, { stream: true })
    if (text !== '') onOutput(text)
  }

  snapshot(): ViewportText {
    return this.viewport.snapshot()
  }

  /** Stop following. Idempotent. */
  stop(): ViewportText {
    this.release()
    return this.viewport.stop()
  }

  private get omitsEcho(): boolean {
    return this.parts.config.echo === 'omit'
  }

  private suppress(isOn: boolean): void {
    if (this.omitsEcho) this.viewport.suppress(isOn)
  }
}
