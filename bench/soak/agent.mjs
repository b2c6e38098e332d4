/** One agent as the actions use it: tools as a model calls them, and what must hold at every call. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { listSurvivors } from '../teardown/survivors.mjs'
import { printMark } from './actions/marks.mjs'
import { BrokenPromise, expectEqual, expectLines, expectThat } from './checks.mjs'

const TRAIL_LENGTH = 12

/** Value of a variable in the environment with which a process was started. */
function readVariable(pid, name) {
  const entries = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1)
}

export class SoakAgent {
  /** The last calls, newest last: what a report of a broken promise shows. */
  trail = []
  /** Terminals by slot. */
  terminals = new Map()

  constructor(ctx, agent, person, findPeer) {
    this.ctx = ctx
    this.agent = agent
    this.person = person
    this.findPeer = (number) => findPeer(this, number)
  }

  get cwd() {
    return this.agent.cwd
  }

  get isAlive() {
    return this.agent.alive
  }

  pause = (ms) => pause(ms)

  /** A tool call, whatever it comes to. Rejects with the reason of an abort. */
  async execute(name, args, signal) {
    const started = performance.now()
    const entry = { call: name, args: clipArgs(args) }
    this.trail.push(entry)
    if (this.trail.length > TRAIL_LENGTH) this.trail.shift()
    try {
      const { result } = await this.ctx.tools.execute({ agent: this.agent, name, args, ...(signal ? { signal } : {}) })
      entry.result = summarise(result)
      return result
    } catch (error) {
      entry.result = `rejected: ${error instanceof Error ? error.message : String(error)}`
      throw error
    } finally {
      entry.ms = Math.round(performance.now() - started)
    }
  }

  /** A tool call that has to succeed. @returns its data. */
  async call(name, args) {
    const result = await this.execute(name, args)
    if (result.isError) throw new BrokenPromise(`${name} failed: ${result.code} ${textOf(result)}`)
    return result.structured
  }

  async open(slot) {
    const { sessionId, pid } = await this.call('terminal_open', { type: 'shell' })
    this.terminals.set(slot, { sessionId, pid, tag: readVariable(pid, 'AGENT_TERMINALS_TAG') })
  }

  sessionOf(slot) {
    return this.terminals.get(slot).sessionId
  }

  /**
   * Type and wait until the terminal wants something again, with more waits when one was too short.
   * Unless a `program` is meant to wait for input, that is the shell's prompt.
   * @returns the text, and the last result. What comes between two sends is in none of them: after several waits the text is what the
   * scrollback has of it.
   */
  async runToEnd(slot, text, { submit = true, timeoutMs, program = false } = {}) {
    const sessionId = this.sessionOf(slot)
    const limit = timeoutMs === undefined ? {} : { timeoutMs }
    let last = await this.call('terminal_send', { sessionId, text, submit, ...limit })
    const whole = last.text
    const isWhole = !isWorking(last)
    while (isWorking(last)) last = await this.call('terminal_send', { sessionId, text: '', submit: false, ...limit })
    if (!program) expectEqual(`state after ${JSON.stringify(text.slice(0, 60))}`, last.state, 'prompt')
    return { text: isWhole ? whole : await this.readSince(slot, text), last }
  }

  /** Lines of the scrollback behind the newest one that holds the last line of what was typed. */
  async readSince(slot, typed) {
    const { text } = await this.call('terminal_read', { sessionId: this.sessionOf(slot), lines: 2_000 })
    const lines = text.split('\n')
    const echoed = typed.split('\n').at(-1)
    const from = lines.findLastIndex((line) => line.includes(echoed)) + 1
    // The prompt that has come back is not output.
    return `${lines.slice(from, -1).join('\n')}\n`
  }

  /** The next command gives exactly what it prints. */
  async proveUsable(slot, word) {
    const { text, last } = await this.runToEnd(slot, `${printMark(word, 'usable')}; (exit 9)`)
    expectLines(text, [`${word}-usable`])
    expectEqual('exit code', last.exitCode, 9)
  }

  /** Send, and abort the call after so many milliseconds. It may have come back before. */
  async cancelAfter(slot, text, delayMs) {
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    const timer = setTimeout(() => controller.abort(reason), delayMs)
    try {
      await this.execute('terminal_send', { sessionId: this.sessionOf(slot), text }, controller.signal)
    } catch (error) {
      expectThat(error === reason, `a cancelled call rejected with ${String(error)}`)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Back to the shell's prompt, from whatever waits for input. */
  async recover(slot) {
    const sessionId = this.sessionOf(slot)
    const look = () => this.call('terminal_send', { sessionId, text: '', submit: false })
    let { state } = await look()
    for (let attempt = 0; state !== 'prompt'; attempt++) {
      expectThat(attempt < 10, `the shell does not come back: ${state}`)
      if (state === 'line') {
        ;({ state } = await this.call('terminal_send', { sessionId, text: '\u0004', submit: false }))
        continue
      }
      if (state !== 'busy' && state !== 'quiet') await this.call('terminal_signal', { sessionId, signal: 'SIGINT' })
      ;({ state } = await look())
    }
  }

  async startJob(slot, text) {
    const args = { sessionId: this.sessionOf(slot), text, run_in_background: true }
    return (await this.call('terminal_send', args)).jobId
  }

  /** @returns all output from now on, and how the job ended. */
  async awaitJob(jobId) {
    let text = ''
    for (;;) {
      const read = await this.call('job_output', { jobId, wait: true, timeoutMs: 20_000 })
      text += read.text
      if (read.status !== 'running' && read.status !== 'stopping' && read.unreadBytes === 0)
        return { text, status: read.status }
    }
  }

  async waitForForeground(slot, command) {
    for (;;) {
      const { sessions } = await this.call('terminal_list', {})
      if (sessions.find(({ sessionId }) => sessionId === this.sessionOf(slot))?.foreground === command) return
      await pause(20)
    }
  }

  /** After this nothing of the terminal is left. */
  async close(slot) {
    const terminal = this.terminals.get(slot)
    this.terminals.delete(slot)
    // A second close at the same moment joins the first.
    const { sessionId, tag } = terminal ?? this.closing
    this.closing = { sessionId, tag }
    await this.call('terminal_close', { sessionId })
    expectGone([tag])
  }

  async cancelOpen(delayMs) {
    const controller = new AbortController()
    const reason = new Error('no terminal after all')
    const timer = setTimeout(() => controller.abort(reason), delayMs)
    try {
      const { structured } = await this.execute('terminal_open', { type: 'shell' }, controller.signal)
      await this.call('terminal_close', { sessionId: structured.sessionId })
    } catch (error) {
      expectThat(error === reason, `a cancelled open rejected with ${String(error)}`)
    } finally {
      clearTimeout(timer)
    }
  }

  /** The agent sees its own terminals and no other, none of them sending. */
  checkOwnership() {
    const seen = this.ctx.terminals.list(this.agent)
    const own = [...this.terminals.values()].map(({ sessionId }) => sessionId)
    expectEqual('terminals of the agent', sorted(seen.map(({ sessionId }) => sessionId)), sorted(own))
    const sending = seen.filter((session) => session.sending).map(({ sessionId }) => sessionId)
    expectEqual('terminals that send although nothing is under way', sorted(sending), '')
  }

  async end(ending) {
    const tags = [...this.terminals.values()].map(({ tag }) => tag)
    if (ending === 'close all') for (const slot of [...this.terminals.keys()]) await this.close(slot)
    const sends =
      ending === 'in the middle of a send'
        ? [...this.terminals.values()].map(({ sessionId }) =>
            this.execute('terminal_send', { sessionId, text: 'sleep 30' }),
          )
        : []
    if (sends.length > 0) await pause(20)
    await this.agent.dispose()
    for (const { isError } of await Promise.all(sends)) expectThat(isError, 'a send outlived its agent')
    expectGone(tags)
  }
}

const isWorking = ({ waitReason, state }) => waitReason === 'timeout' || state === 'busy' || state === 'quiet'
const sorted = (list) => [...list].sort().join(' ')
const textOf = ({ content }) => content.map((block) => block.text ?? '').join('\n')
const clipArgs = ({ text, ...rest }) => (text === undefined ? rest : { ...rest, text: text.slice(0, 160) })

function summarise({ isError, code, structured, content }) {
  if (isError) return `error ${code}: ${textOf({ content }).slice(0, 200)}`
  const { text, ...rest } = structured ?? {}
  return text === undefined
    ? rest
    : { ...rest, text: text.length <= 300 ? text : `${text.slice(0, 150)} … ${text.slice(-150)}` }
}

function expectGone(tags) {
  const left = tags.flatMap((tag) => listSurvivors(tag, -1))
  expectThat(left.length === 0, `left behind after the end of a terminal: pid ${left.join(', ')}`)
}
