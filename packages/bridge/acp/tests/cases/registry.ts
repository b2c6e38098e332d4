/** The cases of the sheet's §15: each has a test, or a reason why it has none. */
import { expect, test } from 'vitest'

export const CASE_COUNT = 53

export class CaseRegistry {
  private readonly covered = new Map<number, string>()
  private readonly excused = new Map<number, string>()

  /** Register a test of one case, titled by its number. A case may have several. */
  readonly case = (id: number, title: string, body: () => Promise<void> | void): void => {
    this.covered.set(id, title)
    test(`${id}: ${title}`, body)
  }

  excuse(id: number, reason: string): void {
    this.excused.set(id, reason)
  }

  /** Register the check that nothing is missing. */
  close(): void {
    test('every case of the sheet has a test or a reason', () => {
      const ids = Array.from({ length: CASE_COUNT }, (_, index) => index + 1)
      expect(ids.filter((id) => !this.covered.has(id) && !this.excused.has(id))).toEqual([])
      expect(ids.filter((id) => this.covered.has(id) && this.excused.has(id))).toEqual([])
    })
  }
}
