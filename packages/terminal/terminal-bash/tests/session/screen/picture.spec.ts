import { expect, it } from 'vitest'
import { loadXterm } from '../../../src/session/screen/emulator.js'
import { hashPicture, takePicture } from '../../../src/session/screen/picture.js'

async function show(text: string) {
  const { Terminal } = await loadXterm()
  const terminal = new Terminal({ cols: 40, rows: 3, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(text, resolve))
  const picture = takePicture(terminal)
  terminal.dispose()
  return picture
}

it.each([
  ['1', 'bold'],
  ['2', 'dim'],
  ['3', 'italic'],
  ['4', 'underline'],
  ['5', 'blink'],
  ['7', 'inverse'],
  ['8', 'invisible'],
  ['9', 'strikethrough'],
  ['1;31', 'bold fg=1'],
  ['44', 'bg=4'],
  ['1;38;2;255;128;0', 'bold fg=#ff8000'],
  ['48;2;0;0;16', 'bg=#000010'],
])('SGR %s reads as %s', async (sgr, style) => {
  const { rows, spans } = await show(`plain \x1b[${sgr}mset\x1b[0m`)
  expect(rows[0]).toBe('plain set')
  expect(spans).toEqual([{ row: 1, column: 7, text: 'set', style }])
})

it('coloured letters and coloured ground without text are no spans', async () => {
  expect((await show('\x1b[32mgreen\x1b[0m \x1b[44m     \x1b[0m')).spans).toEqual([])
})

it('wide characters take two columns and are one', async () => {
  const { rows, spans } = await show('漢\x1b[7m字\x1b[0m.')
  expect(rows[0]).toBe('漢字.')
  expect(spans).toEqual([{ row: 1, column: 3, text: '字', style: 'inverse' }])
})

it('equal pictures have equal hashes, others do not', async () => {
  const [one, same, other] = await Promise.all(['a', 'a', 'b'].map((text) => show(text)))
  expect(hashPicture(one)).toBe(hashPicture(same))
  expect(hashPicture(one)).not.toBe(hashPicture(other))
})
