/** Sends in the background, and signals to what they run. */
import { expectEqual, expectLines, expectThat } from '../checks.mjs'
import { markLines, printMarks } from './marks.mjs'

const isMark = (word) => (line) => line.startsWith(`${word}-`)

const collected = {
  kind: 'job',
  weight: 3,
  plan: (random) => ({
    word: random.word(),
    count: random.int(1, 20),
    pauseMs: random.pick([0, 10, 50]),
    code: random.pick([0, 5]),
  }),
  async run(agent, { slot, word, count, pauseMs, code }) {
    const jobId = await agent.startJob(slot, `${printMarks(word, count, pauseMs)}; (exit ${code})`)
    const { text, status } = await agent.awaitJob(jobId)
    expectLines(text.split('\n').filter(isMark(word)).join('\n'), markLines(word, count))
    expectEqual('status of the job', status, code === 0 ? 'completed' : 'failed')
  },
}

const killed = {
  kind: 'job, killed',
  weight: 2,
  plan: (random) => ({ word: random.word(), delayMs: random.int(0, 400) }),
  async run(agent, { slot, word, delayMs }) {
    const jobId = await agent.startJob(slot, 'sleep 30')
    await agent.pause(delayMs)
    await agent.call('job_kill', { jobId })
    expectEqual('status of the job', (await agent.awaitJob(jobId)).status, 'killed')
    await agent.proveUsable(slot, word)
  },
}

const signalled = {
  kind: 'signal',
  weight: 3,
  plan: (random) => ({
    word: random.word(),
    signal: random.pick(['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGHUP', 'SIGTSTP']),
  }),
  async run(agent, { slot, word, signal }) {
    const jobId = await agent.startJob(slot, 'sleep 30')
    await agent.waitForForeground(slot, 'sleep')
    const { delivered } = await agent.call('terminal_signal', { sessionId: agent.sessionOf(slot), signal })
    expectThat(delivered, `${signal} was not delivered`)
    const { status } = await agent.awaitJob(jobId)
    expectEqual('status of the job', status, 'failed')
    if (signal === 'SIGTSTP') {
      // Bash tells of the end of a job at the prompt after the one at which it has noticed it.
      await agent.runToEnd(slot, 'kill -9 %%; sleep 0.1')
      await agent.runToEnd(slot, 'true')
    }
    await agent.proveUsable(slot, word)
  },
}

export const JOBS = [collected, killed, signalled]
