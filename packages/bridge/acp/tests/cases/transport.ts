import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { buildHouse, CARDS, disposeHouses, runCalls, send } from '../house.js'
import { outputsOf } from './reading.js'
import type { CaseRegistry } from './registry.js'

const cliTests = fileURLToPath(new URL('../../../../app/cli/tests/acp.spec.ts', import.meta.url))

export function addTransportCases({ case: one }: CaseRegistry): void {
  one(50, 'a session that is loaded by another process shows the same cards', async () => {
    const sessionsDirectory = await mkdtemp(join(tmpdir(), 'acp-sessions-'))
    try {
      const config = { sessionsDirectory }
      const calls = [send('echo kept; (exit 3)'), send('printf "\\033[31mred"'), send('true')]
      const run = await runCalls(calls, { meta: CARDS }, { config })
      const { client: first, sessionId } = run
      await run.house.root.fiber.dispose()

      const house = await buildHouse({ prompts: [calls, [send('echo again')]], config })
      const client = house.connect({ meta: CARDS })
      await client.initialized
      await client.agent.request('session/load', { sessionId, cwd: house.cwd, mcpServers: [] })
      expect(client.violations()).toEqual([])
      expect(client.callIds(sessionId)).toEqual(first.callIds(sessionId))
      for (const callId of first.callIds(sessionId)) {
        expect(client.view(sessionId, callId)).toEqual(first.view(sessionId, callId))
      }
      expect(client.said(sessionId)).toBe('done')

      // The conversation goes on with calls of its own; terminals ended with their process.
      expect(
        house.root.agents.get(sessionId)?.session.events.filter(({ type }) => type === 'message/user'),
      ).toHaveLength(1)
      expect(await client.prompt(sessionId)).toEqual({ stopReason: 'end_turn' })
      expect(client.violations()).toEqual([])
      const callId = client.callIds(sessionId).at(-1) ?? ''
      expect(first.callIds(sessionId)).not.toContain(callId)
      expect(client.view(sessionId, callId).card?.text).toContain('No terminal with the id')
    } finally {
      await disposeHouses()
      await rm(sessionsDirectory, { recursive: true })
    }
  })

  one(51, 'standard output carries one message per line, whatever else is printed', () => {
    expect(readFileSync(cliTests, 'utf8')).toContain("test('case 51: ")
  })

  one(52, 'every message fits the schema', async () => {
    const run = await runCalls([send('echo a'), send('(exit 1)'), send('kill -KILL $$')], { meta: CARDS })
    const plain = await runCalls([send('echo a'), send('(exit 1)')], {})
    const validate = compileUpdateSchema()
    for (const { client, sessionId } of [run, plain]) {
      expect(client.violations()).toEqual([])
      for (const update of client.updates(sessionId)) {
        expect(validate({ sessionId, update }), JSON.stringify({ update, errors: validate.errors })).toBe(true)
      }
    }
  })

  one(53, 'what waits for a client that has stopped reading costs the budget of its card', () => {
    expect(readFileSync(cliTests, 'utf8')).toContain("'case 53: ")
  })

  one(53, 'a client that stops reading gets a bounded, correct stream afterwards', async () => {
    const house = await buildHouse({
      prompts: [[send('seq 1 2000000')]],
      config: { maxCardBytes: 65_536, cardTailBytes: 16_384 },
    })
    const client = house.connect({ meta: CARDS })
    const sessionId = await client.open(house.cwd)
    const resume = house.pauseReading()
    const answered = client.prompt(sessionId)
    const agent = house.root.agents.get(sessionId)
    if (!agent) throw new Error('the agent is alive')
    await new Promise<void>((resolve) => {
      agent.session.onEvent(({ type }) => type === 'turn/ended' && resolve())
    })
    resume()
    expect(await answered).toEqual({ stopReason: 'end_turn' })
    expect(client.violations()).toEqual([])
    const text = outputsOf(client, sessionId, client.callIds(sessionId).at(-1) ?? '').join('')
    expect(Buffer.byteLength(text)).toBeLessThan(65_536 + 1024)
    expect(text.startsWith('1\r\n2\r\n3\r\n')).toBe(true)
    expect(text).toMatch(/\[[\d,]+ bytes left out\]/)
    expect(text.endsWith('2000000\r\n')).toBe(true)
  })
}

function compileUpdateSchema() {
  const path = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json')
  const schema = JSON.parse(readFileSync(path, 'utf8')) as { readonly $defs: Readonly<Record<string, unknown>> }
  const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator: false })
  return ajv.compile({ $defs: schema.$defs, $ref: '#/$defs/SessionNotification' })
}
