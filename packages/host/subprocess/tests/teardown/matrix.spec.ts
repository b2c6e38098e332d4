import { readdirSync, readFileSync } from 'node:fs'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { ProcessIdentity } from '../../src/contract.js'
import { isZombie, parseProcStat } from '../../src/inspector/parse-stat.js'
import { captureIdentity, SESSION_TAG_VARIABLE, terminateTree } from '../../src/teardown/index.js'
import { hasProgram } from '../support/programs.js'
import { type PtyProgram, startBash, startProgram } from '../support/pty-program.js'

/** Long enough that no cooperative program is killed, however busy the machine is. */
const GRACE_MS = 5000
const SHORT_GRACE_MS = 300
let sessions = 0

interface Session {
  readonly bash: PtyProgram
  readonly root: ProcessIdentity
  readonly tag: string
}

const open: PtyProgram[] = []
afterEach(async () => {
  for (const program of open.splice(0)) await program.end()
})

async function openSession(): Promise<Session> {
  const tag = `teardown-${process.pid}-${++sessions}`
  const bash = await startBash({ [SESSION_TAG_VARIABLE]: tag })
  open.push(bash)
  return { bash, root: captureIdentity(bash.pid), tag }
}

/** Live processes that carry the tag or belong to the session, as anybody can see them. */
function listLeft(tag: string, sessionId: number): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      if (!/^\d+$/.test(name)) return false
      const stat = parseProcStat(readFileSync(`/proc/${name}/stat`, 'latin1'))
      if (stat === undefined || isZombie(stat)) return false
      return stat.sessionId === sessionId || readFileSync(`/proc/${name}/environ`, 'latin1').includes(tag)
    } catch {
      return false
    }
  })
}

const python = (...lines: readonly string[]) => `python3 -c '${lines.join('\n')}'`

/** Each command prints GO when everything is in place. The word is split so that its echo does not count. */
const matrix: readonly (readonly [title: string, command: string, expected: { readonly forced: boolean }])[] = [
  ['a foreground child', 'bash -c "echo G""O; exec sleep 999"', { forced: false }],
  ['a stopped child', 'sleep 999 & kill -STOP $!; echo G""O', { forced: false }],
  ['a background reader stopped by the terminal', 'cat & sleep 0.05; echo G""O', { forced: false }],
  ['a background pipeline', 'sleep 999 | cat | cat & echo G""O', { forced: false }],
  ['a child of a child', '(sleep 998 & sleep 997) & echo G""O', { forced: false }],
  ['an orphan', '(sleep 999 &); echo G""O', { forced: false }],
  ['a child in another process group', 'set -m; sleep 999 & echo G""O', { forced: false }],
  ['a child that ignores the hang-up', 'nohup sleep 999 >/dev/null 2>&1 & echo G""O', { forced: false }],
  ['a disowned child', 'sleep 999 & disown; echo G""O', { forced: false }],
  ['a child in a session of its own', 'setsid sleep 999 & sleep 0.05; echo G""O', { forced: false }],
  ['a child without our variables', 'env -i sleep 999 & echo G""O', { forced: false }],
  ['a nested shell', `bash --norc -c 'echo G""O; exec bash --norc'`, { forced: false }],
  ['a shell that runs one program after another', 'while :; do sleep 0.01; echo G""O; done', { forced: false }],
  [
    'a shell that starts children in a loop',
    'for i in $(seq 300); do sleep 999 & echo G""O; sleep 0.01; done',
    { forced: false },
  ],
  ['two hundred children', 'for i in $(seq 200); do sleep 999 & done 2>/dev/null; echo G""O', { forced: false }],
  ['a shell with an exit trap', `trap 'sleep 0.02' EXIT; echo G""O`, { forced: false }],
  [
    'a child that ignores SIGTERM',
    python(
      'import signal, time',
      'for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)',
      'print("G" + "O", flush=True); time.sleep(999)',
    ),
    { forced: true },
  ],
  [
    'a daemon that forked twice and closed its descriptors',
    `${python(
      'import os, time',
      'if os.fork(): os._exit(0)',
      'os.setsid()',
      'if os.fork(): os._exit(0)',
      'os.closerange(0, 64); time.sleep(999)',
    )}; sleep 0.1; echo G""O`,
    { forced: false },
  ],
  [
    'a program that ignores signals and forks every ten milliseconds',
    python(
      'import os, signal, time',
      'for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)',
      'end = time.time() + 3; print("G" + "O", flush=True)',
      'while time.time() < end:',
      ' if os.fork() == 0: time.sleep(999)',
      ' time.sleep(0.01)',
    ),
    { forced: true },
  ],
]

describe.skipIf(process.platform !== 'linux')('ending a real session (needs procfs)', () => {
  useBaseline()

  it('ends an idle shell', async () => {
    const { root, tag, bash } = await openSession()
    expect(await terminateTree({ root, tag, graceMs: GRACE_MS })).toEqual({ ended: 0, forced: false })
    expect(listLeft(tag, root.pid)).toEqual([])
    await bash.exited
  })

  for (const [title, command, expected] of matrix) {
    const program = command.startsWith('python3') ? 'python3' : 'bash'
    it.skipIf(!hasProgram(program))(`ends ${title} (needs ${program})`, async () => {
      const { root, tag, bash } = await openSession()
      bash.write(`${command}\r`)
      await bash.waitForOutput('GO')
      const report = await terminateTree({ root, tag, graceMs: expected.forced ? SHORT_GRACE_MS : GRACE_MS })
      expect(report).toMatchObject(expected)
      expect(listLeft(tag, root.pid)).toEqual([])
      await bash.exited
    })
  }

  it('ends what a shell left behind that had gone before', async () => {
    const { root, tag, bash } = await openSession()
    bash.write('sleep 999 & setsid nohup sleep 998 >/dev/null 2>&1 & sleep 0.05; disown -a; exit 3\r')
    expect(await bash.exited).toMatchObject({ exitCode: 3 })
    expect(await terminateTree({ root, tag, graceMs: GRACE_MS })).toMatchObject({ forced: false })
    expect(listLeft(tag, root.pid)).toEqual([])
  })

  it('ends a session that was opened the moment before, and nothing else', async () => {
    const bystander = await openSession()
    for (let round = 0; round < 30; round++) {
      const tag = `moment-${process.pid}-${round}`
      const program = startProgram(['/bin/bash', '--norc', '-i'], { [SESSION_TAG_VARIABLE]: tag })
      const root = captureIdentity(program.pid)
      await terminateTree({ root, tag, graceMs: GRACE_MS })
      await program.exited
      expect(listLeft(tag, root.pid)).toEqual([])
    }
    bystander.bash.write('echo sti""ll here\r')
    await bystander.bash.waitForOutput('still here')
  })

  it('leaves the processes of another session alone', async () => {
    const [one, other] = [await openSession(), await openSession()]
    other.bash.write('sleep 999 & echo G""O\r')
    await other.bash.waitForOutput('GO')
    await terminateTree({ ...one, graceMs: GRACE_MS })
    expect(listLeft(other.tag, other.bash.pid)).toHaveLength(2)
    await terminateTree({ ...other, graceMs: GRACE_MS })
    await waitUntil('both are gone', () => listLeft(other.tag, other.bash.pid).length === 0)
  })
})
