import { setMaxListeners } from 'node:events'
import type { SubprocessTerminal } from '@agent-terminals/subprocess/contract'
import { drainInput } from './drain-input.js'

/** Why a write ended early: its rest was dropped on purpose. */
class InputDropped extends Error {
  override readonly name = 'InputDropped'
}

function createScope(): AbortController {
  const scope = new AbortController()
  // Each write that waits for its program listens, and there may be any number of them.
  setMaxListeners(0, scope.signal)
  return scope
}

/** The only way into a terminal. Whatever has not been read can be dropped at once, wherever it lies. */
export class InputWriter {
  /** What was written last ended without Enter: a reader of whole lines has not seen it. */
  endsInsideLine = false
  private scope = createScope()

  constructor(private readonly handle: SubprocessTerminal) {}

  get pendingBytes(): number {
    return this.handle.pendingInputBytes
  }

  /** Resolves once the kernel has taken everything, or the rest has been dropped. */
  async write(data: string): Promise<void> {
    this.endsInsideLine = !/[\r\n\x03]$/.test(data)
    try {
      await this.handle.write(data, this.scope.signal)
    } catch (error) {
      if (!(error instanceof InputDropped)) throw error
    }
  }

  /** Drop what the kernel has not taken, then what no program has read. */
  drop(): void {
    const { scope } = this
    this.scope = createScope()
    scope.abort(new InputDropped('The input was dropped.'))
    drainInput(this.handle.ttyPath)
  }
}
