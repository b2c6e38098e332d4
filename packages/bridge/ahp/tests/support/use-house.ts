import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach } from 'vitest'
import { House } from './house.js'

export interface HouseOfTest {
  readonly house: House
  /** Another house for this test, with other settings. */
  rebuild(config: Readonly<Record<string, unknown>>): Promise<House>
}

/** A house for every test of a suite, gone after it. */
export function useHouse(): HouseOfTest {
  useBaseline()
  const houses: House[] = []
  beforeEach(async () => {
    houses.push(await House.build())
  })
  afterEach(async () => {
    for (const house of houses.splice(0)) await house.dispose()
  })
  return {
    get house() {
      const house = houses.at(-1)
      if (!house) throw new Error('no house outside a test')
      return house
    },
    async rebuild(config) {
      const house = await House.build(config)
      houses.push(house)
      return house
    },
  }
}
