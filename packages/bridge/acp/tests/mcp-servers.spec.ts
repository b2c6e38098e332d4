/** MCP servers that a client offers are not used, and the person is told. */
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, expect, test } from 'vitest'
import { renderUnusedServers } from '../src/core/unused-servers.js'
import { buildHouse, CARDS, disposeHouses } from './house.js'

useBaseline()
afterEach(disposeHouses)

const server = (name: string) => ({ name, command: '/bin/server', args: [], env: [] })
const NOTICE = '(This agent works in its own terminals and uses no MCP servers. Not connected: github, my db.)\n\n'

test('the first answer names the servers that are not connected, and no later one does', async () => {
  const house = await buildHouse({ prompts: [[], []] })
  const client = house.connect({ meta: CARDS })
  const sessionId = await client.open(house.cwd, [server('github'), server('my\ndb')])
  expect(client.updates(sessionId)).toEqual([])
  await client.prompt(sessionId)
  expect(client.said(sessionId)).toBe(`${NOTICE}done`)
  await client.prompt(sessionId)
  expect(client.said(sessionId)).toBe(`${NOTICE}donedone`)
  expect(client.violations()).toEqual([])
  // The model has not said it.
  expect(JSON.stringify(house.root.agents.get(sessionId)?.session.events)).not.toContain('MCP')
})

test('a client that offers none hears nothing of it', async () => {
  const house = await buildHouse({ prompts: [[]] })
  const client = house.connect({ meta: CARDS })
  const sessionId = await client.open(house.cwd)
  await client.prompt(sessionId)
  expect(client.said(sessionId)).toBe('done')
})

test('many servers, and long names, make a short sentence', () => {
  const text = renderUnusedServers(Array.from({ length: 40 }, () => server('x'.repeat(500)))) ?? ''
  expect(text).toMatch(/…, and 30 more\.\)\n\n$/)
  expect(text.length).toBeLessThan(800)
})
