import { readFileSync } from 'node:fs'

/** Cells of the rows whose first cell is code, of all tables of a README, without their backticks. */
export function readCodeRows(readme: URL): readonly (readonly string[])[] {
  return readFileSync(readme, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
}
