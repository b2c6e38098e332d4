import { afterAll, afterEach, beforeAll } from 'vitest'
import { ShellHouse } from './shell-house.js'
import { ROOT, type Wire } from './wire.js'

/** A shell of a client, seen at the level of messages. */
export class WireShell {
  constructor(
    readonly house: ShellHouse,
    readonly wire: Wire,
    readonly uri: string,
  ) {}

  /** All that the terminal printed since it was subscribed to, its first prompt included. */
  get output(): string {
    return this.before + this.wire.output(this.uri)
  }
  before = ''

  async type(data: string): Promise<void> {
    this.wire.dispatch(this.uri, { type: 'terminal/input', data })
  }

  waitForOutput(text: string): Promise<void> {
    return this.wire.waitFor(() => this.output.includes(text))
  }

  async waitForMatch(pattern: RegExp): Promise<RegExpExecArray> {
    await this.wire.waitFor(() => pattern.test(this.output))
    const match = pattern.exec(this.output)
    if (!match) throw new Error(`nothing matches ${pattern}`)
    return match
  }
}

export interface ShellHouseOfTest {
  readonly house: ShellHouse
  open(options?: { readonly uri?: string; readonly clientId?: string; readonly cwd?: string }): Promise<WireShell>
}

/** One served host for a suite of tests; its terminals are gone after each. Call after `useBaseline`. */
export function useShellHouse(config: Readonly<Record<string, unknown>> = {}): ShellHouseOfTest {
  let house: ShellHouse | undefined
  let number = 0
  const opened: WireShell[] = []
  const current = () => {
    if (!house) throw new Error('no house outside the suite')
    return house
  }
  beforeAll(async () => {
    house = await ShellHouse.build(config)
  })
  afterEach(async () => {
    for (const { wire, uri } of opened.splice(0)) {
      await wire.request('disposeTerminal', { channel: uri }).catch(() => {})
      wire.close()
    }
  })
  afterAll(() => house?.dispose())
  return {
    get house() {
      return current()
    },
    async open({ uri = `ahp-terminal:/shell-${++number}`, clientId = 'a', ...params } = {}) {
      const wire = await current().readyWire(clientId)
      await wire.request('createTerminal', { channel: uri, claim: { kind: 'client', clientId }, ...params })
      const result = (await wire.request('subscribe', { channel: uri })) as {
        readonly snapshot: { readonly state: { readonly content: readonly { readonly value?: string }[] } }
      }
      const shell = new WireShell(current(), wire, uri)
      shell.before = result.snapshot.state.content.map(({ value }) => value ?? '').join('')
      opened.push(shell)
      return shell
    },
  }
}

export { ROOT }
