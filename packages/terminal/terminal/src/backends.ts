import { TerminalError } from './errors.js'
import type { TerminalBackend } from './types.js'

/** The kinds of terminal that can be opened at this moment. */
export class BackendRegistry {
  private readonly backends = new Map<string, TerminalBackend>()

  /** @throws TerminalError `TYPE_TAKEN`. @returns a release, to be called once. */
  add(backend: TerminalBackend): () => void {
    if (this.backends.has(backend.type)) {
      throw new TerminalError('TYPE_TAKEN', `A backend for the terminal type "${backend.type}" is already registered.`)
    }
    this.backends.set(backend.type, backend)
    return () => void this.backends.delete(backend.type)
  }

  /** @throws TerminalError `UNKNOWN_TYPE`, naming the types there are. */
  get(type: string): TerminalBackend {
    const backend = this.backends.get(type)
    if (backend) return backend
    const known = [...this.backends.keys()].map((each) => `"${each}"`).join(', ')
    const advice = known ? `Use one of: ${known}.` : 'No terminal backend is loaded; add one to the composition.'
    throw new TerminalError('UNKNOWN_TYPE', `There is no terminal type ${JSON.stringify(type.slice(0, 64))}. ${advice}`)
  }

  list(): readonly TerminalBackend[] {
    return [...this.backends.values()]
  }

  clear(): void {
    this.backends.clear()
  }
}
