/**
 * Transitions of the escape-sequence parser, as data. After Paul Williams' DEC-compatible state diagram
 * (https://vt100.net/emu/dec_ansi_parser), with one state for every string whose content nobody reads.
 */

export const State = {
  Ground: 0,
  Escape: 1,
  EscapeIntermediate: 2,
  CsiEntry: 3,
  CsiParam: 4,
  CsiIntermediate: 5,
  CsiIgnore: 6,
  Osc: 7,
  /** DCS, APC, PM, SOS: swallowed to the end. */
  String: 8,
} as const
export type State = (typeof State)[keyof typeof State]

export const Action = {
  None: 0,
  Execute: 1,
  Clear: 2,
  Collect: 3,
  Param: 4,
  EscDispatch: 5,
  CsiDispatch: 6,
  OscStart: 7,
  OscPut: 8,
  OscEnd: 9,
} as const
export type Action = (typeof Action)[keyof typeof Action]

const STATES = 9
const BYTES = 128

/** Index with `state << 7 | byte`; the entry holds `action << 4 | next state`. Bytes from 0x80 never get here. */
export const TABLE: Uint8Array = buildTable()

function buildTable(): Uint8Array {
  const table = new Uint8Array(STATES * BYTES)
  const on = (states: readonly State[], from: number, to: number, action: Action, next?: State): void => {
    for (const state of states) {
      for (let byte = from; byte <= to; byte += 1) table[(state << 7) | byte] = (action << 4) | (next ?? state)
    }
  }
  const { Ground, Escape, EscapeIntermediate, CsiEntry, CsiParam, CsiIntermediate, CsiIgnore, Osc } = State
  const csi = [CsiEntry, CsiParam, CsiIntermediate, CsiIgnore] as const
  const sequence = [Escape, EscapeIntermediate, ...csi] as const
  const string = [Osc, State.String] as const

  on([Ground, ...sequence], 0x00, 0x1f, Action.Execute)
  on([Ground, ...sequence], 0x7f, 0x7f, Action.None)

  on([Escape, EscapeIntermediate], 0x20, 0x2f, Action.Collect, EscapeIntermediate)
  on([Escape, EscapeIntermediate], 0x30, 0x7e, Action.EscDispatch, Ground)
  on([Escape], 0x5b, 0x5b, Action.Clear, CsiEntry)
  on([Escape], 0x5d, 0x5d, Action.OscStart, Osc)
  for (const introducer of [0x50, 0x58, 0x5e, 0x5f]) on([Escape], introducer, introducer, Action.None, State.String)

  on([CsiEntry, CsiParam], 0x30, 0x3b, Action.Param, CsiParam)
  on([CsiEntry], 0x3c, 0x3f, Action.Collect, CsiParam)
  on([CsiParam], 0x3c, 0x3f, Action.None, CsiIgnore)
  on([CsiEntry, CsiParam, CsiIntermediate], 0x20, 0x2f, Action.Collect, CsiIntermediate)
  on([CsiIntermediate], 0x30, 0x3f, Action.None, CsiIgnore)
  on([CsiEntry, CsiParam, CsiIntermediate], 0x40, 0x7e, Action.CsiDispatch, Ground)
  on([CsiIgnore], 0x20, 0x3f, Action.None)
  on([CsiIgnore], 0x40, 0x7e, Action.None, Ground)

  on([State.String], 0x00, 0x7f, Action.None)
  on([Osc], 0x00, 0x1f, Action.None)
  on([Osc], 0x20, 0x7f, Action.OscPut)
  on([Osc], 0x07, 0x07, Action.OscEnd, Ground)

  // CAN and SUB cancel, ESC starts anew, whatever was going on (ECMA-48 8.3.6, 8.3.148; xterm ends an OSC at ESC).
  on([...sequence, ...string], 0x18, 0x18, Action.None, Ground)
  on([...sequence, ...string], 0x1a, 0x1a, Action.None, Ground)
  on([Ground, ...sequence, State.String], 0x1b, 0x1b, Action.Clear, Escape)
  on([Osc], 0x1b, 0x1b, Action.OscEnd, Escape)
  return table
}
