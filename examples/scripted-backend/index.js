/**
 * A kind of terminal that plays prepared answers. It starts no process, so that a composition runs the same everywhere:
 * snapshots use it in place of `@agent-terminals/terminal-bash`. Contract: packages/terminal/terminal/src/types.ts.
 */
import { z } from 'zod'

const Answer = z.strictObject({
  /** What is typed. The first answer with the text is given, every time. */
  input: z.string(),
  /** Raw output in the pieces in which it arrives. */
  pieces: z.array(z.string()).default([]),
  /** The same as a model reads it. */
  text: z.string().default(''),
  /** Exit code of the command; absent while something still runs. */
  exitCode: z.int().optional(),
  state: z.enum(['prompt', 'line', 'busy']).default('prompt'),
  waitReason: z.enum(['stdin_read', 'inferred_idle', 'timeout']).default('stdin_read'),
})

export const name = 'example-scripted-backend'
export const inject = ['terminals']
export const Config = z.strictObject({
  /** The `type` of `terminal_open`. */
  type: z.string().min(1).default('shell'),
  answers: z.array(Answer).default([]),
})

export function apply(ctx, { type, answers }) {
  ctx.terminals.registerBackend({
    type,
    description: 'prepared answers',
    open: async (request) => createSession(request, answers),
  })
}

const RUNNING = { kind: 'running' }

function createSession(request, answers) {
  const lines = []
  let busyWith
  return {
    pid: 1,
    motd: '',
    describe: () => ({
      status: RUNNING,
      cwd: request.cwd,
      foreground: busyWith,
      title: undefined,
      idleMs: 0,
      promptDetection: 'active',
      evidence: [],
    }),
    send(sending) {
      const answer = answers.find(({ input }) => input === sending.text) ?? refuse(sending.text)
      for (const piece of answer.pieces) sending.onOutput?.(piece)
      lines.push(...answer.text.split('\n').slice(0, -1))
      busyWith = answer.state === 'prompt' ? undefined : answer.input.split(' ')[0]
      return {
        outcome: Promise.resolve({ kind: 'settled', result: describeResult(answer, request.cwd, busyWith) }),
        cancel() {},
        progress: () => ({ state: answer.state, quietMs: 0, lastLine: lines.at(-1) ?? '' }),
      }
    },
    read({ lines: count = 100, offset = 0 }) {
      const lineEnd = Math.max(0, lines.length - offset)
      const from = Math.max(0, lineEnd - count)
      const page = lines.slice(from, lineEnd)
      return {
        text: page.map((line) => `${line}\n`).join(''),
        totalLines: lines.length,
        lineBegin: page.length === 0 ? 0 : from + 1,
        lineEnd: page.length === 0 ? 0 : lineEnd,
        truncated: false,
      }
    },
    signal: async () => ({ delivered: true, targetPgid: 1 }),
    input: async () => {},
    resize() {},
    close: async () => ({ killed: true }),
  }
}

function refuse(text) {
  const message = `${text.split(' ')[0]}: command not found`
  return {
    input: text,
    pieces: [`${message}\r\n`],
    text: `${message}\n`,
    exitCode: 127,
    state: 'prompt',
    waitReason: 'stdin_read',
  }
}

function describeResult({ text, exitCode, state, waitReason }, cwd, foreground) {
  return {
    viewport: { text, omittedLines: 0, omittedBytes: 0 },
    waitReason,
    sessionStatus: RUNNING,
    truncated: false,
    state,
    promptDetection: 'active',
    elapsedMs: 1,
    cwd,
    notes: [],
    ...(exitCode === undefined ? {} : { exitCode, durationMs: 1 }),
    ...(foreground === undefined ? {} : { foreground }),
  }
}
