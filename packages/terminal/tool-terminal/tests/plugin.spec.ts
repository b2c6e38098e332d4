import { useBaseline } from '@agent-terminals/testing'
import { Context } from '@deepseek-ai/cordis'
import { afterEach, describe, expect, it } from 'vitest'
import * as toolTerminal from '../src/index.js'
import { buildHouse, type House } from './house.js'

useBaseline()

const NAMES = ['terminal_open', 'terminal_send', 'terminal_read', 'terminal_signal', 'terminal_close', 'terminal_list']

let house: House | undefined
afterEach(async () => {
  await house?.dispose()
  house = undefined
})

describe('the plugin', () => {
  it('registers exactly the six tools', async () => {
    house = await buildHouse({ withJobs: false })
    expect(house.root.tools.list().map((tool) => tool.name)).toEqual(NAMES)
  })

  it('contributes its guidance and withdraws both with its scope', async () => {
    house = await buildHouse({ withJobs: false })
    expect(house.root.tools.guidance().map(({ id }) => id)).toEqual(['terminal'])
    await house.plugin.dispose()
    expect(house.root.tools.list()).toEqual([])
    expect(house.root.tools.guidance()).toEqual([])
  })

  it('leaves sessions alive when it is reloaded', async () => {
    house = await buildHouse({ withJobs: false })
    const { sessionId, session } = await house.open()
    await house.plugin.restart()
    expect(session.closes).toBe(0)
    session.answers.push({ kind: 'failed', error: new Error('still there') })
    expect(await house.text('terminal_send', { sessionId, text: '' })).toContain('still there')
  })

  it('speaks of jobs in its guidance only where background sends exist', async () => {
    house = await buildHouse({ config: { enableRunInBackground: false } })
    expect(house.root.tools.guidance()[0]?.text).not.toContain('run_in_background')
  })

  it('says that idle is a guess, that state can drift, and to close what is not needed', async () => {
    house = await buildHouse()
    const text = house.root.tools.guidance()[0]?.text
    for (const word of [
      'inferred_idle is a guess',
      'State can drift',
      'one-shot',
      'yours alone',
      'terminal_close',
      'run_in_background',
    ]) {
      expect(text).toContain(word)
    }
  })

  it.each([
    ['maxResultBytes below 64', { maxResultBytes: 63 }, /maxResultBytes must be at least 64.*\(at maxResultBytes\)/],
    ['maxResultBytes of a wrong type', { maxResultBytes: '1' }, /at maxResultBytes/],
    ['a fractional maxResultBytes', { maxResultBytes: 100.5 }, /at maxResultBytes/],
    ['enableRunInBackground of a wrong type', { enableRunInBackground: 'yes' }, /at enableRunInBackground/],
    ['an unknown key', { maxResultsBytes: 64 }, /maxResultsBytes/],
  ])('refuses to load with %s, naming the field', async (_title, config, message) => {
    const root = new Context()
    root.logger.exporter({ export: () => undefined })
    for (const service of ['tools', 'terminals']) {
      await root.plugin({ name: service, apply: (ctx: Context) => void ctx.reflect.provide(service, {}) })
    }
    await expect(async () => {
      await root.plugin(toolTerminal, config as unknown as toolTerminal.ToolTerminalConfig)
    }).rejects.toThrow(message)
    await root.fiber.dispose()
  })

  it('has safe defaults', () => {
    expect(toolTerminal.Config.parse(undefined)).toMatchObject({ enableRunInBackground: true, maxResultBytes: 262_144 })
  })
})
