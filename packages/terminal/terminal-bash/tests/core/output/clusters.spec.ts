import { expect, it } from 'vitest'
import { EditableLine } from '../../../src/core/output/editable-line.js'

const ACUTE = 0x301
const codes = (text: string) => [...text].map((character) => character.codePointAt(0) ?? 0)

it('a combining character joins what stands before it, and another one joins both', () => {
  const line = new EditableLine(80)
  for (const code of [...codes('e'), ACUTE, 0x323, ...codes('f')]) line.put(code)
  expect(line.text()).toBe('e\u0301\u0323f')
  expect(line.length).toBe(2)
})

it('one that has nothing before it stands by itself', () => {
  const line = new EditableLine(80)
  line.put(ACUTE)
  line.put(0x61)
  expect(line.text()).toBe('\u0301a')
})

it('a cell holds so many of them and no more', () => {
  const line = new EditableLine(80)
  line.put(0x61)
  for (let i = 0; i < 1_000; i += 1) line.put(ACUTE)
  expect(line.text()).toBe(`a${'\u0301'.repeat(63)}`)
})

it('a line that is redrawn with them over and over keeps what it shows', () => {
  const line = new EditableLine(80)
  for (let round = 0; round < 3_000; round += 1) {
    line.carriageReturn()
    for (const code of [...codes('na'), ACUTE, ...codes('vi'), ACUTE, ...codes(String(round % 10))]) line.put(code)
  }
  expect(line.text()).toBe('na\u0301vi\u03019')
})

it('cells that were hidden and are shown again read as before', () => {
  const line = new EditableLine(80)
  for (const code of codes('abc')) line.put(code)
  line.setAllHidden(true)
  expect(line.visibleText()).toBe('')
  line.setAllHidden(false)
  expect(line.visibleText()).toBe('abc')
})
