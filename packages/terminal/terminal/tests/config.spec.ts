import { readFileSync } from 'node:fs'
import { useBaseline } from '@agent-terminals/testing'
import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import * as plugin from '../src/index.js'
import { Config } from '../src/index.js'

useBaseline()

describe('the plugin', () => {
  it('provides ctx.terminals, with defaults for everything', async () => {
    const root = new Context()
    const fiber = await root.plugin(plugin, {} as Config)
    expect(root.terminals.backends()).toEqual([])
    await fiber.dispose()
    expect(root.get('terminals')).toBeUndefined()
  })

  it.each([
    [{ maxSessionsPerOwner: 0 }, 'maxSessionsPerOwner'],
    [{ endedRetentionMs: '10m' }, 'endedRetentionMs'],
    [{ maxSessions: 3 }, 'maxSessions'],
  ])('fails to load with %j and names the field', async (config, field) => {
    const root = new Context()
    const load = async () => root.plugin(plugin, config as Config)
    await expect(load()).rejects.toThrow(field)
  })

  it('has every field with its default in the README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const rows = [...readme.matchAll(/^\| *((?:`\w+`(?:, )?)+) *\| *([\d, ]+?) *\|/gm)]
    const documented = rows.flatMap(([, names = '', values = '']) => {
      const defaults = values.split(', ')
      return names.split(', ').map((name, at) => [name.replaceAll('`', ''), Number(defaults[at])] as const)
    })
    expect(Object.fromEntries(documented)).toEqual(Config.parse({}))
  })
})
