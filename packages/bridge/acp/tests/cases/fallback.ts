import { expect } from 'vitest'
import { runCalls, send } from '../house.js'
import { blockOf, updatesOf } from './reading.js'
import type { CaseRegistry } from './registry.js'

const LIMIT_BYTES = 64 * 1024

export function addFallbackCases({ case: one }: CaseRegistry): void {
  one(45, 'a line of four backticks has a fence of five', async () => {
    expect(blockOf(await runCalls([send("echo '````'")], {}))).toBe('`````console\n````\n`````')
  })

  one(46, 'colours go, and of a bar only the last state stays', async () => {
    const bar = `printf '\\033[32mstart\\033[0m\\n'; for i in 1 2 3; do printf '\\rstep %s of 3' $i; done; echo`
    expect(blockOf(await runCalls([send(bar)], {}))).toBe('```console\nstart\nstep 3 of 3\n```')
  })

  one(47, 'silence has no block, a bad code has one', async () => {
    const silent = await runCalls([send('true')], {})
    expect(blockOf(silent)).toBeUndefined()
    expect(silent.client.view(silent.sessionId, silent.callId).status).toBe('completed')
    expect(blockOf(await runCalls([send('(exit 2)')], {}))).toBe('```console\n[exit code 2]\n```')
  })

  one(48, 'a long output is cut, says so, and is sent once', async () => {
    const run = await runCalls([send('seq 1 100000')], {})
    const block = blockOf(run) ?? ''
    expect(Buffer.byteLength(block)).toBeLessThan(LIMIT_BYTES)
    expect(block).toMatch(/\n1\n2\n3\n/)
    expect(block).toMatch(/\[[\d,]+ (?:lines|bytes)[^\]]* omitted\]/)
    expect(block).toMatch(/\n100000\n(?:\[.*\]\n)?```$/)
    const traffic = JSON.stringify(updatesOf(run.client, run.sessionId, run.callId))
    expect(Buffer.byteLength(traffic)).toBeLessThan(10 * LIMIT_BYTES)
  })

  one(49, 'a background command that ends after the turn sends no terminal key', async () => {
    const run = await runCalls([send('sleep 0.05; (exit 3)', { run_in_background: true })], {})
    expect(blockOf(run)).toMatch(/job/)
    const agent = run.house.root.agents.get(run.sessionId)
    if (!agent) throw new Error('the agent is alive')
    await new Promise<void>((resolve) => {
      const isSettled = () => agent.session.events.some(({ type }) => type === 'job/settled')
      if (isSettled()) resolve()
      agent.session.onEvent(() => isSettled() && resolve())
    })
    await run.client.agent.request('session/close', { sessionId: run.sessionId })
    expect(JSON.stringify(run.client.wire)).not.toContain('"terminal_')
    expect(run.client.violations()).toEqual([])
  })
}
