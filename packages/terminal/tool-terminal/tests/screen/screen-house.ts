/** The tools with every feature on, and a terminal emulator beside them that sees every byte of the terminal from its start. */
import type { ScreenSnapshot, TerminalEvent } from '@agent-terminals/terminal'
import type { ToolResult } from '@agent-terminals/tools/contract'
import xterm from '@xterm/headless'
import { buildRealHouse, type RealHouse } from '../real-house.js'

export const ALL_FEATURES = { screen: true, keys: true, search: true, resize: true }

export type Data = Readonly<Record<string, unknown>>
type Key = string | { readonly text: string } | { readonly paste: string }

export interface ScreenHouse {
  readonly house: RealHouse
  readonly sessionId: string
  readonly cwd: string
  /** A command line. */
  run(text: string, more?: Data): Promise<Sent>
  press(...keys: Key[]): Promise<Sent>
  /** Type nothing and wait. */
  wait(more?: Data): Promise<Sent>
  read(args: Data): Promise<ToolResult>
  look(): Promise<ScreenSnapshot>
  /** Rows of an emulator that has been fed everything that came out of the terminal. */
  reference(): Promise<readonly string[]>
  dispose(): Promise<void>
}

/** What a send came to. */
export interface Sent {
  readonly result: ToolResult
  readonly text: string
  readonly state: unknown
  readonly waitReason: unknown
  readonly matched: unknown
  readonly screen: ScreenSnapshot | undefined
}

export async function openScreenHouse(): Promise<ScreenHouse> {
  const house = await buildRealHouse({ features: ALL_FEATURES }, { shell: { features: { screen: true } } })
  const emulator = new xterm.Terminal({ cols: 120, rows: 30, scrollback: 0, allowProposedApi: true })
  house.root.on('terminal/event', (_id, event: TerminalEvent) => {
    if (event.type === 'data') emulator.write(event.bytes)
    if (event.type === 'resized') emulator.write('', () => emulator.resize(event.size.columns, event.size.rows))
  })
  const sessionId = await house.open()
  const send = async (args: Data): Promise<Sent> => {
    const { result } = await house.call('terminal_send', { sessionId, ...args })
    const data = result.structured ?? {}
    return {
      result,
      text: textOf(result),
      state: data.state,
      waitReason: data.waitReason,
      matched: data.matched,
      screen: data.screen as ScreenSnapshot | undefined,
    }
  }
  const read = async (args: Data) => (await house.call('terminal_read', { sessionId, ...args })).result
  return {
    house,
    sessionId,
    cwd: house.cwd,
    run: (text, more = {}) => send({ text, ...more }),
    press: (...keys) => send({ keys }),
    wait: (more = {}) => send({ text: '', submit: false, ...more }),
    read,
    async look() {
      const { structured } = await read({ view: 'screen', attributes: true })
      return structured?.screen as ScreenSnapshot
    },
    async reference() {
      await new Promise<void>((resolve) => emulator.write('', resolve))
      const { active } = emulator.buffer
      return Array.from(
        { length: emulator.rows },
        (_, y) =>
          active
            .getLine(active.baseY + y)
            ?.translateToString(true)
            .trimEnd() ?? '',
      )
    },
    async dispose() {
      await house.dispose()
      emulator.dispose()
    },
  }
}

export function textOf(result: ToolResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}
