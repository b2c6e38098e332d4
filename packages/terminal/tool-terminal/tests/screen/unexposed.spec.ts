import { spawnSync } from 'node:child_process'
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildRealHouse, type RealHouse } from '../real-house.js'

useBaseline()

let house: RealHouse
beforeEach(async () => {
  house = await buildRealHouse()
})
afterEach(() => house.dispose())

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

describe('a full-screen program where no feature is on', () => {
  it.skipIf(!has('vim'))('vim is quit, and the next command is not lost (needs vim)', async () => {
    const sessionId = await house.open()
    const send = async (text: string) => (await house.call('terminal_send', { sessionId, text })).result.structured
    for (let round = 1; round <= 3; round++) {
      expect(await send('vim f')).toMatchObject({ waitReason: 'stdin_read', state: 'fullscreen' })
      expect(await send('\u001b:q!')).toMatchObject({ waitReason: 'stdin_read', state: 'prompt' })
      expect(await send(`echo next-$((${round} + 1))`)).toMatchObject({ state: 'prompt', text: `next-${round + 1}\n` })
    }
  })
})
