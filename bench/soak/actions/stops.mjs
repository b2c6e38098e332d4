/** Cancelling a send at any moment: the caller's own reason comes back, and the terminal is as usable as before. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expectThat } from '../checks.mjs'

const PROGRAMS = {
  sleeper: 'sleep 30',
  flood: 'yes',
  'ignores the first ^C':
    "python3 -c $'import signal, time\\nsignal.signal(signal.SIGINT, lambda *_: signal.signal(signal.SIGINT, signal.SIG_DFL))\\nwhile True: time.sleep(1)'",
  'ignores every ^C':
    "python3 -c $'import signal, time\\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\\ntime.sleep(30)'",
  repl: 'python3 -q',
  reader: 'cat',
}

const cancel = {
  kind: 'cancel',
  weight: 6,
  plan: (random) => ({
    word: random.word(),
    program: random.pick(Object.keys(PROGRAMS)),
    delayMs: random.pick([0, 1, 5, random.int(0, 60), random.int(0, 600)]),
  }),
  async run(agent, { slot, word, program, delayMs }) {
    await agent.cancelAfter(slot, PROGRAMS[program], delayMs)
    // A reader that had already asked came back before the cancel.
    await agent.recover(slot)
    await agent.proveUsable(slot, word)
  },
}

/** What has not been typed yet never runs. */
const takeBack = {
  kind: 'cancel several lines',
  weight: 2,
  plan: (random) => ({ word: random.word(), delayMs: random.int(0, 250) }),
  async run(agent, { slot, word, delayMs }) {
    const file = join(agent.cwd, word)
    await agent.cancelAfter(slot, `sleep 30\ntouch ${file}`, delayMs)
    await agent.proveUsable(slot, word)
    expectThat(!existsSync(file), 'a line behind a cancelled one was run')
  },
}

export const STOPS = [cancel, takeBack]
