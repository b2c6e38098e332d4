import { afterEach, describe, expect, it } from 'vitest'
import { buildHouse, type House } from './house.js'

const isOurs = ({ name }: { readonly name: string }) => name.startsWith('terminal_')

let house: House | undefined
afterEach(async () => {
  await house?.dispose()
  house = undefined
})

describe('the six schemas', () => {
  it('are these', async () => {
    house = await buildHouse()
    const { tools } = house.root
    const schemas = tools
      .list()
      .filter(isOurs)
      .map(({ name, description }) => ({
        name,
        description,
        input: tools.inputSchema(name),
        output: tools.outputSchema(name),
      }))
    await expect(JSON.stringify(schemas, null, 2)).toMatchFileSnapshot('__snapshots__/schemas.json.snap')
  })

  it('lose run_in_background, and nothing else, where a deployment switches it off', async () => {
    house = await buildHouse()
    const full = house.root.tools.inputSchema('terminal_send')
    await house.dispose()
    house = await buildHouse({ config: { enableRunInBackground: false } })
    const { run_in_background: removed, ...properties } = full.properties as Record<string, unknown>
    expect(removed).toMatchObject({ type: 'boolean' })
    expect(house.root.tools.inputSchema('terminal_send')).toEqual({ ...full, properties })
  })

  it('are objects on both sides, so that every protocol can carry them', async () => {
    house = await buildHouse()
    for (const { name } of house.root.tools.list().filter(isOurs)) {
      expect(house.root.tools.inputSchema(name)).toMatchObject({ type: 'object', additionalProperties: false })
      expect(house.root.tools.outputSchema(name)).toMatchObject({ type: 'object' })
    }
  })

  it('warn that PTY sessions are less auditable than one-shot tools', async () => {
    house = await buildHouse()
    for (const name of ['terminal_open', 'terminal_send']) {
      expect(house.root.tools.get(name)?.description).toContain('less auditable than one-shot tools')
    }
  })
})
