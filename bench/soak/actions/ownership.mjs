/** One send per terminal; nobody reaches the terminals of another. */
import { expectEqual, expectLines, expectThat } from '../checks.mjs'
import { markLines, printMarks } from './marks.mjs'

const second = {
  kind: 'second send',
  weight: 2,
  plan: (random) => ({ word: random.word(), delayMs: random.int(0, 150) }),
  async run(agent, { slot, word, delayMs }) {
    const first = agent.runToEnd(slot, `sleep 2; ${printMarks(word, 3)}`)
    await agent.pause(delayMs)
    const refused = await agent.execute('terminal_send', { sessionId: agent.sessionOf(slot), text: 'true' })
    expectEqual('code of a second send', refused.code, 'SEND_ACTIVE')
    expectLines((await first).text, markLines(word, 3))
  },
}

const intruder = {
  kind: 'intruder',
  weight: 2,
  plan: (random) => ({ peer: random.int(0, 100), tool: random.int(0, 100) }),
  async run(agent, { slot, peer, tool }) {
    const other = agent.findPeer(peer)
    if (other === undefined) return
    const sessionId = agent.sessionOf(slot)
    const calls = [
      ['terminal_send', { sessionId, text: 'echo intruder' }],
      ['terminal_send', { sessionId, text: 'echo intruder', run_in_background: true }],
      ['terminal_read', { sessionId }],
      ['terminal_signal', { sessionId, signal: 'SIGINT' }],
      ['terminal_close', { sessionId }],
    ]
    const [name, args] = calls[tool % calls.length]
    const refused = await other.execute(name, args)
    const seen = await other.execute('terminal_list', {})
    // One that has ended meanwhile cannot ask.
    if (!other.isAlive) return
    expectEqual(`code of ${name} by another agent`, refused.code, 'UNKNOWN_SESSION')
    expectThat(
      !seen.structured.sessions.some((each) => each.sessionId === sessionId),
      'another agent sees the terminal',
    )
  },
}

export const OWNERSHIP = [second, intruder]
