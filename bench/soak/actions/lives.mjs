/** How terminals end, and what is in them then. */
import { expectEqual, expectThat } from '../checks.mjs'

/** Those that end or stop as jobs are in a subshell: bash would tell of them at some later prompt. */
const LEFT = {
  'background job': 'sleep 300 &',
  'nohup setsid': '(nohup setsid sleep 300 >/dev/null 2>&1 &)',
  disowned: 'sleep 300 & disown',
  pipeline: 'sleep 300 | cat | cat &',
  stopped: '(sleep 300 & kill -STOP $!)',
  'bare environment': 'env -i sleep 300 &',
  'deaf to signals': "(trap '' HUP INT TERM; sleep 300) &",
  'many children': 'for i in $(seq 15); do sleep 300 & done',
}

/** Stays until the terminal or the agent ends. */
const leave = {
  kind: 'leave something',
  weight: 3,
  plan: (random) => ({ what: random.pick(Object.keys(LEFT)) }),
  run: (agent, { slot, what }) => agent.runToEnd(slot, LEFT[what]),
}

const close = {
  kind: 'close',
  weight: 3,
  plan: (random) => ({ isTwice: random.chance(0.2) }),
  async run(agent, { slot, isTwice }) {
    await Promise.all(isTwice ? [agent.close(slot), agent.close(slot)] : [agent.close(slot)])
  },
}

const closeSending = {
  kind: 'close during a send',
  weight: 2,
  plan: (random) => ({ text: random.pick(['sleep 30', 'yes', 'cat', 'python3 -q']), delayMs: random.int(0, 300) }),
  async run(agent, { slot, text, delayMs }) {
    const sending = agent.execute('terminal_send', { sessionId: agent.sessionOf(slot), text })
    await agent.pause(delayMs)
    await agent.close(slot)
    const { isError, code, structured } = await sending
    const isFine = isError ? code === 'SESSION_CLOSING' : ['line', 'key'].includes(structured.state)
    expectThat(isFine, `a send in a closed terminal came to ${code ?? structured.state}`)
  },
}

const killShell = {
  kind: 'kill the shell',
  weight: 2,
  plan: (random) => ({ signal: random.pick(['KILL', 'HUP', 'SEGV']), leaves: random.chance(0.5) }),
  async run(agent, { slot, signal, leaves }) {
    const sessionId = agent.sessionOf(slot)
    const result = await agent.call('terminal_send', {
      sessionId,
      text: `${leaves ? 'sleep 300 & ' : ''}kill -${signal} $$`,
    })
    expectEqual('why the send returned', result.waitReason, 'session_exit')
    expectEqual(
      'how the shell ended',
      result.sessionStatus.kind,
      signal === 'HUP' ? result.sessionStatus.kind : 'signalled',
    )
    const refused = await agent.execute('terminal_send', { sessionId, text: 'true' })
    expectEqual('code of a send to an ended terminal', refused.code, 'SESSION_ENDED')
    await agent.close(slot)
  },
}

const exit = {
  kind: 'exit',
  weight: 2,
  plan: (random) => ({ word: random.word(), code: random.pick([0, 3, 255]) }),
  async run(agent, { slot, word, code }) {
    const result = await agent.call('terminal_send', {
      sessionId: agent.sessionOf(slot),
      text: `printf '%s-%s\\n' ${word} last; exit ${code}`,
    })
    expectEqual('why the send returned', result.waitReason, 'session_exit')
    expectEqual(
      'how the shell ended',
      JSON.stringify(result.sessionStatus),
      JSON.stringify({ kind: 'exited', exitCode: code }),
    )
    expectThat(result.text.includes(`${word}-last`), 'the last words of a shell are missing')
    await agent.close(slot)
  },
}

const failToOpen = {
  kind: 'open that fails',
  weight: 1,
  plan: (random) => ({ word: random.word() }),
  async run(agent, { word }) {
    const { code } = await agent.execute('terminal_open', { type: 'shell', cwd: `/nowhere/${word}` })
    expectEqual('code of an impossible open', code, 'CWD_MISSING')
  },
}

const cancelOpen = {
  kind: 'cancelled open',
  weight: 2,
  plan: (random) => ({ delayMs: random.int(0, 25) }),
  async run(agent, { delayMs }) {
    await agent.cancelOpen(delayMs)
  },
}

export const LIVES = [leave, close, closeSending, killShell, exit, failToOpen, cancelOpen]
