/** Programs that wait for input and keep their state: each answer is complete when the send returns. */
import { expectLines, expectThat } from '../checks.mjs'

/** Answers of a REPL without its own prompt. */
const answers = (text, prompt) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && line !== prompt)

const python = {
  kind: 'python',
  weight: 3,
  plan: (random) => ({
    word: random.word(),
    calls: Array.from({ length: random.int(1, 5) }, () => ({
      number: random.int(1, 9_999),
      pauseMs: random.pick([0, 0, 60, 400]),
    })),
  }),
  async run(agent, { slot, word, calls }) {
    await agent.runToEnd(slot, 'python3 -q', { program: true })
    await agent.runToEnd(slot, `import time; word = "${word}"`, { program: true })
    for (const { number, pauseMs } of calls) {
      const call = `time.sleep(${pauseMs / 1000}); print(word + "-%d" % ${number})`
      const { text } = await agent.runToEnd(slot, call, { program: true })
      expectLines(answers(text, '>>>').join('\n'), [`${word}-${number}`])
    }
    await agent.runToEnd(slot, 'exit()')
  },
}

const node = {
  kind: 'node',
  weight: 2,
  plan: (random) => ({
    word: random.word(),
    numbers: Array.from({ length: random.int(1, 3) }, () => random.int(1, 9_999)),
  }),
  async run(agent, { slot, word, numbers }) {
    await agent.runToEnd(slot, 'node', { program: true })
    for (const number of numbers) {
      const { text } = await agent.runToEnd(slot, `console.log(["${word}", ${number}].join("-"))`, { program: true })
      expectThat(
        text.split('\n').filter((line) => line === `${word}-${number}`).length === 1,
        `node said ${JSON.stringify(text)}`,
      )
    }
    await agent.runToEnd(slot, '.exit')
  },
}

const cat = {
  kind: 'cat',
  weight: 2,
  plan: (random) => ({ words: Array.from({ length: random.int(1, 4) }, () => random.word()) }),
  async run(agent, { slot, words }) {
    await agent.runToEnd(slot, 'cat', { program: true })
    for (const word of words) {
      const { text } = await agent.runToEnd(slot, word, { program: true })
      expectLines(text, [word])
    }
    await agent.runToEnd(slot, '\u0004', { submit: false })
  },
}

const less = {
  kind: 'less',
  needs: 'less',
  weight: 2,
  plan: (random) => ({ pages: random.int(0, 3), isScreen: random.chance(0.5) }),
  async run(agent, { slot, pages, isScreen }) {
    const opened = await agent.runToEnd(slot, `seq 1 500 | less${isScreen ? '' : ' -X'}`, { program: true })
    expectThat(['fullscreen', 'key'].includes(opened.last.state), `less is said to be in state ${opened.last.state}`)
    for (let page = 0; page < pages; page++) await agent.runToEnd(slot, ' ', { submit: false, program: true })
    await agent.runToEnd(slot, 'q', { submit: false })
  },
}

const question = {
  kind: 'question',
  weight: 2,
  plan: (random) => ({ word: random.word(), isSecret: random.chance(0.5) }),
  async run(agent, { slot, word, isSecret }) {
    const asked = await agent.runToEnd(
      slot,
      `read -r${isSecret ? 's' : ''}p 'answer: ' x; printf '%s-%s\\n' "$x" done`,
      {
        program: true,
      },
    )
    expectThat(asked.last.state === (isSecret ? 'hidden' : 'line'), `a question is said to be ${asked.last.state}`)
    const { text } = await agent.runToEnd(slot, word)
    expectThat(text.includes(`${word}-done`), `the answer did not arrive: ${JSON.stringify(text)}`)
  },
}

export const PROGRAMS = [python, node, cat, less, question]
