/** What the demo's agent does: things that one-shot commands cannot. Every expectation is a promise of the README. */
import type { ScriptInput } from '@agent-terminals/agent-loop'

type Calls = NonNullable<ScriptInput['prompts'][number]['steps']>[number]['calls']
type Call = Calls[number]

const sessionId = '${shell.sessionId}'

function send(text: string, expect: NonNullable<Call['expect']>, more: Record<string, unknown> = {}): Call {
  return { tool: 'terminal_send', args: { sessionId, text, ...more }, expect: { isError: false, ...expect } }
}

/** Titles and calls, in order. A title becomes the prompt that the agent is given. */
const chapters: readonly { readonly title: string; readonly calls: Calls }[] = [
  {
    title: 'A shell that stays',
    calls: [
      { tool: 'terminal_open', args: { type: 'shell', name: 'main' }, as: 'shell', expect: { isError: false } },
      send('cd /usr && export GREETING="hello from the last call"', { structured: { exitCode: 0, cwd: '/usr' } }),
      send('pwd; echo "$GREETING"', { text: ['/usr', 'hello from the last call'], structured: { state: 'prompt' } }),
      send('(exit 7)', { structured: { exitCode: 7, waitReason: 'stdin_read' } }),
    ],
  },
  {
    title: 'A Python REPL, with an exception in the middle',
    calls: [
      send('python3 -q', { text: '>>>', structured: { state: 'line', waitReason: 'stdin_read' } }),
      send('import math; radius = 2.5', { text: '>>>' }),
      send('round(math.pi * radius ** 2, 4)', { text: '19.635', structured: { state: 'line' } }),
      send('1 / 0', { text: 'ZeroDivisionError', structured: { state: 'line' } }),
      send('radius', { text: '2.5' }),
      send('exit()', { structured: { state: 'prompt', exitCode: 0 } }),
    ],
  },
  {
    title: 'A program that takes too long is interrupted',
    calls: [
      send('sleep 30', { structured: { waitReason: 'timeout', state: 'busy' } }, { timeoutMs: 700 }),
      {
        tool: 'terminal_signal',
        args: { sessionId, signal: 'SIGINT' },
        expect: { isError: false, structured: { delivered: true } },
      },
      // Whether it ends before the send that waits for it has begun is for the scheduler to say: the code is told either way.
      send('', { text: 'exit 130', structured: { state: 'prompt' } }, { submit: false }),
    ],
  },
  {
    title: 'A question is answered',
    calls: [
      send('read -p "Which colour? " colour', { text: 'Which colour?', structured: { state: 'line' } }),
      send('teal', { structured: { state: 'prompt', exitCode: 0 } }),
      send('echo "You said $colour."', { text: 'You said teal.' }),
    ],
  },
  {
    title: 'A long command runs in the background',
    calls: [
      {
        tool: 'terminal_send',
        args: { sessionId, text: 'for i in 1 2 3; do echo "part $i"; sleep 0.2; done', run_in_background: true },
        as: 'job',
        expect: { isError: false, structured: { jobId: 'terminal-1' } },
      },
      {
        tool: 'job_output',
        args: { jobId: '${job.jobId}', wait: true, timeoutMs: 20_000 },
        expect: { isError: false, text: ['part 1', 'part 3'] },
      },
    ],
  },
  {
    title: 'Output is kept and can be paged',
    calls: [
      send('seq 1 500', { text: '500', structured: { exitCode: 0 } }),
      {
        tool: 'terminal_read',
        args: { sessionId, lines: 3, offset: 100 },
        expect: { isError: false, structured: { truncated: false } },
      },
      { tool: 'terminal_list', args: {}, expect: { isError: false, text: 'main' } },
    ],
  },
  {
    title: 'Nothing is left behind',
    calls: [
      send('sleep 300 & disown; (setsid sleep 301 &); echo started', { text: 'started' }),
      { tool: 'terminal_close', args: { sessionId }, expect: { isError: false, structured: { killed: true } } },
      { tool: 'terminal_list', args: {}, expect: { isError: false, absent: 'main' } },
    ],
  },
]

export const demoPrompts: readonly string[] = chapters.map(({ title }) => title)

export const demoScript: ScriptInput = {
  prompts: chapters.map(({ calls }) => ({ steps: calls.map((call) => ({ calls: [call] })), reply: 'Done.' })),
}
