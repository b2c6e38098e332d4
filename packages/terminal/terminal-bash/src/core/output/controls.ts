/** What controls and sequences do to the text model. Everything not named here leaves text alone. */
import type { ControlSequence } from './parser.js'
import type { TextModel } from './text-model.js'

type Control = (model: TextModel) => void
/** `count` is the first parameter, at least 1; `part` the same with 0 for a missing one. */
type Sequence = (model: TextModel, count: number, part: number) => void

const lineFeed: Control = (model) => model.lineFeed()
const index: Control = (model) => model.index()
const reverseIndex: Control = (model) => model.moveUp(1)

/** C0 and C1 controls by code point. ECMA-48 5.2, 5.3. */
const CONTROLS: ReadonlyMap<number, Control> = new Map([
  [0x08, (model) => model.edit().back(1)],
  [0x09, (model) => model.tab()],
  [0x0a, lineFeed],
  [0x0b, lineFeed],
  [0x0c, lineFeed],
  [0x0d, (model) => model.carriageReturn()],
  [0x84, index],
  [0x85, lineFeed],
  [0x8d, reverseIndex],
])

/** `ESC final`. */
const ESCAPES: ReadonlyMap<string, Control> = new Map([
  ['D', index],
  ['E', lineFeed],
  ['M', reverseIndex],
  ['7', (model) => model.saveCursor()],
  ['8', (model) => model.restoreCursor()],
  ['c', (model) => model.freshLine()],
])

const moveDown: Sequence = (model, count) => model.moveDown(count)
const forward: Sequence = (model, count) => model.edit().forward(count)
const toColumn: Sequence = (model, count) => model.edit().toRowColumn(count - 1)
/** A jump on the screen ends the line: text never lands in a line it does not follow. */
const jump: Sequence = (model) => model.freshLine()

/** `CSI … final` without marker and intermediates. ECMA-48 8.3. */
const SEQUENCES: ReadonlyMap<string, Sequence> = new Map([
  ['@', (model, count) => model.edit().insertCharacters(count)],
  ['A', (model, count) => model.moveUp(count)],
  ['B', moveDown],
  ['e', moveDown],
  ['C', forward],
  ['a', forward],
  ['D', (model, count) => model.edit().back(count)],
  [
    'E',
    (model, count) => {
      model.moveDown(count)
      model.carriageReturn()
    },
  ],
  [
    'F',
    (model, count) => {
      model.moveUp(count)
      model.carriageReturn()
    },
  ],
  ['G', toColumn],
  ['`', toColumn],
  ['H', jump],
  ['f', jump],
  ['d', jump],
  ['J', (model, _count, part) => model.eraseDisplay(part)],
  ['K', (model, _count, part) => model.eraseInRow(part)],
  ['M', (model) => model.eraseInRow(2)],
  ['P', (model, count) => model.edit().deleteCharacters(count)],
  ['X', (model, count) => model.edit().eraseCharacters(count)],
  ['s', (model) => model.saveCursor()],
  ['u', (model) => model.restoreCursor()],
])

export function applyControl(model: TextModel, code: number): void {
  CONTROLS.get(code)?.(model)
}

export function applyEscape(model: TextModel, collected: string, final: string): void {
  if (collected === '') ESCAPES.get(final)?.(model)
}

export function applySequence(model: TextModel, { collected, params, final }: ControlSequence): void {
  const part = params[0] ?? 0
  if (collected === '') SEQUENCES.get(final)?.(model, Math.max(1, part), part)
}
