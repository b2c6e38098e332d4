/** A person at a second client: takes the keyboard, types, gives it back. */
import { expectEqual, expectThat } from '../checks.mjs'
import { printMark } from './marks.mjs'

const takeover = {
  kind: 'takeover',
  weight: 3,
  plan: (random) => ({ word: random.word(), columns: random.int(40, 200) }),
  async run(agent, { slot, word, columns }) {
    const sessionId = agent.sessionOf(slot)
    const terminal = await agent.person.watch(sessionId)
    try {
      await terminal.take()
      const refused = await agent.execute('terminal_send', { sessionId, text: printMark(word, 'agent') })
      expectEqual('code of a send while a person has the keyboard', refused.code, 'CLAIMED_BY_CLIENT')
      const signal = await agent.execute('terminal_signal', { sessionId, signal: 'SIGINT' })
      expectEqual('code of a signal while a person has the keyboard', signal.code, 'CLAIMED_BY_CLIENT')
      await terminal.resize(columns, 24)
      await terminal.type(`${printMark(word, 'person')}\r`)
      await terminal.waitForText(`${word}-person`)
      await terminal.resize(120, 30)
      await terminal.giveBack()
    } finally {
      await terminal.leave()
    }
    await agent.recover(slot)
    await agent.proveUsable(slot, `${word}b`)
    const { text } = await agent.call('terminal_read', { sessionId, lines: 200 })
    expectEqual('times a person’s line is in the scrollback', text.split(`${word}-person`).length - 1, 1)
    expectThat(!text.includes(`${word}-agent`), 'a refused send was typed')
  },
}

/** While the agent waits: its call returns at once and its program goes on. */
const detach = {
  kind: 'detached by a person',
  weight: 2,
  plan: (random) => ({ word: random.word(), delayMs: random.int(50, 400) }),
  async run(agent, { slot, word, delayMs }) {
    const sessionId = agent.sessionOf(slot)
    const terminal = await agent.person.watch(sessionId)
    try {
      const sending = agent.execute('terminal_send', { sessionId, text: `sleep 0.7; ${printMark(word, 1)}` })
      await agent.pause(delayMs)
      const isDetached = await terminal.detach()
      const { structured, code } = await sending
      expectEqual('code of a detached send', code, undefined)
      if (isDetached) expectEqual('why a detached send returned', structured.waitReason, 'timeout')
      await terminal.waitForText(`${word}-1`)
    } finally {
      await terminal.leave()
    }
    await agent.recover(slot)
    const { text } = await agent.call('terminal_read', { sessionId, lines: 50 })
    expectEqual('times the output is in the scrollback', text.split(`${word}-1`).length - 1, 1)
  },
}

export const PEOPLE = [takeover, detach]
