/** Commands at the shell's prompt: everything printed is in the result, once, in order, with the right exit code. */
import { expectEqual, expectLines, expectThat } from '../checks.mjs'
import { markLines, printMark, printMarks } from './marks.mjs'

const marks = {
  kind: 'marks',
  weight: 6,
  plan: (random) => ({
    word: random.word(),
    count: random.int(1, 12),
    pauseMs: random.pick([0, 0, 5, 30, 120]),
    code: random.pick([0, 0, 1, 7, 130]),
  }),
  async run(agent, { slot, word, count, pauseMs, code }) {
    const { text, last } = await agent.runToEnd(slot, `${printMarks(word, count, pauseMs)}; (exit ${code})`)
    expectLines(text, markLines(word, count))
    expectEqual('exit code', last.exitCode, code)
  },
}

/** Several commands at once settle after the last. */
const lines = {
  kind: 'several lines',
  weight: 3,
  plan: (random) => ({
    word: random.word(),
    pauses: Array.from({ length: random.int(2, 5) }, () => random.int(0, 150)),
  }),
  async run(agent, { slot, word, pauses }) {
    const commands = pauses.map((pauseMs, index) => `sleep ${pauseMs / 1000}; ${printMark(word, index + 1)}`)
    const { text } = await agent.runToEnd(slot, commands.join('\n'))
    expectLines(text, markLines(word, pauses.length))
  },
}

/** Looks ready and is not: a question that nobody asks, then work. */
const pretence = {
  kind: 'pretence',
  weight: 4,
  plan: (random) => ({
    word: random.word(),
    question: random.pick(['$ ', '>>> ', 'name? ', '(gdb) ', 'Password: ']),
    workMs: random.int(50, 900),
    isComputing: random.chance(0.4),
  }),
  async run(agent, { slot, word, question, workMs, isComputing }) {
    const work = isComputing
      ? `end = time.time() + ${workMs / 1000}\nwhile time.time() < end: pass`
      : `time.sleep(${workMs / 1000})`
    const script = [
      'import sys, time',
      `sys.stdout.write("${question}"); sys.stdout.flush()`,
      work,
      `print(); print("-".join(["${word}", "1"]))`,
    ].join('\n')
    const { text } = await agent.runToEnd(slot, `python3 -c $'${script.replaceAll('\n', '\\n')}'`)
    expectThat(text.includes(`${word}-1`), `ready before the program had done its work: ${JSON.stringify(text)}`)
  },
}

const flood = {
  kind: 'flood',
  weight: 3,
  plan: (random) => ({ word: random.word(), count: random.int(2_000, 120_000), width: random.int(0, 60) }),
  async run(agent, { slot, word, count, width }) {
    const { text, last } = await agent.runToEnd(
      slot,
      `seq -f '%.0f ${'x'.repeat(width)}' 1 ${count}; ${printMark(word, 1)}; (exit 3)`,
    )
    expectEqual('exit code', last.exitCode, 3)
    expectThat(text.trimEnd().endsWith(`${word}-1`), 'the end of a flood is missing')
    expectThat(text.startsWith('1 '), `the beginning of a flood is missing: ${JSON.stringify(text.slice(0, 80))}`)
    const page = await agent.call('terminal_read', { sessionId: agent.sessionOf(slot), lines: 3 })
    expectThat(page.text.includes(`${count} `), 'the last line of a flood is not in the scrollback')
    expectThat(page.text.includes(`${word}-1`), 'what follows a flood is not in the scrollback')
  },
}

/** A wait that is shorter than the program loses nothing. */
const patience = {
  kind: 'short waits',
  weight: 3,
  plan: (random) => ({ word: random.word(), count: random.int(2, 6), timeoutMs: random.int(20, 200) }),
  async run(agent, { slot, word, count, timeoutMs }) {
    const { text } = await agent.runToEnd(slot, printMarks(word, count, 130), { timeoutMs })
    expectLines(text, markLines(word, count))
  },
}

const state = {
  kind: 'state is kept',
  weight: 2,
  plan: (random) => ({ word: random.word() }),
  async run(agent, { slot, word }) {
    await agent.runToEnd(slot, `keep=${word}; cd /`)
    const { text, last } = await agent.runToEnd(slot, `printf '%s %s\\n' "$keep" "$PWD"; cd - >/dev/null`)
    expectLines(text, [`${word} /`])
    expectEqual('state', last.state, 'prompt')
  },
}

export const SHELL = [marks, lines, pretence, flood, patience, state]
