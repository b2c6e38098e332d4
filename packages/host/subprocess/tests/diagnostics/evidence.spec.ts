import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readEvidence } from '../../src/diagnostics/index.js'
import { createLinuxTable } from '../../src/inspector/linux-table.js'
import { FakeProc, type FakeProcess, renderCall } from '../support/fake-proc.js'
import { startProgram } from '../support/pty-program.js'

useBaseline()

describe('the evidence of a program that waits', () => {
  let proc: FakeProc
  beforeEach(() => {
    proc = new FakeProc()
  })
  afterEach(() => proc.destroy())

  const STACK = 0x2000
  const shell: FakeProcess = { pid: 10, foregroundPgid: 11, command: 'bash' }
  const waiting = { tid: 11, call: renderCall(0, 0).replace('0x7ffd00001000', `0x${STACK.toString(16)}`) }
  const program: FakeProcess = {
    pid: 11,
    command: 'cat',
    threads: [waiting],
    descriptors: { 0: '/dev/pts/4' },
    memory: { [STACK]: new Uint8Array(8) },
  }
  const read = async (arch = 'x64') => readEvidence(10, { table: createLinuxTable({ root: proc.root }), arch })
  const failures = async (arch?: string) =>
    (await read(arch)).flatMap(({ ok, source, detail }) => (ok ? [] : [`${source}: ${detail}`]))

  it('names every source that can be read', async () => {
    proc.put(shell)
    proc.put(program)
    expect(await read()).toEqual([
      { source: '/proc/<pid>/stat', ok: true, detail: 'cat is in front' },
      { source: '/proc/<pid>/task/<tid>/syscall', ok: true, detail: 'waits in read' },
      { source: '/proc/<pid>/mem', ok: true, detail: 'readable' },
      { source: '/proc/<pid>/task/<tid>/status', ok: true, detail: 'counts its waits' },
      { source: '/proc/<pid>/fd', ok: true, detail: 'reads /dev/pts/4' },
    ])
  })

  it.each<[string, FakeProcess[], string[]]>([
    ['no stat of the shell', [], ['/proc/<pid>/stat: the process has gone']],
    ['no leader in front', [shell], ['/proc/<pid>/stat: no process leads the foreground group 11']],
    [
      'no system call',
      [shell, { ...program, threads: [{ tid: 11 }] }],
      ['/proc/<pid>/task/<tid>/syscall: not readable here'],
    ],
    [
      'a program that works',
      [shell, { ...program, threads: [{ tid: 11, call: 'running' }] }],
      ['/proc/<pid>/task/<tid>/syscall: the program does not wait: running'],
    ],
    ['no memory', [shell, { ...program, memory: {} }], ['/proc/<pid>/mem: not readable here']],
    ['no descriptors', [shell, { ...program, descriptors: {} }], ['/proc/<pid>/fd: not readable here']],
  ])('says what is missing: %s', async (_, processes, expected) => {
    for (const each of processes) proc.put(each)
    expect(await failures()).toEqual(expected)
  })

  it('says when the architecture is not known', async () => {
    proc.put(shell)
    proc.put(program)
    expect(await failures('riscv64')).toEqual([
      '/proc/<pid>/task/<tid>/syscall: there is no table of system calls for riscv64',
    ])
  })

  it('says when stty does not answer for the terminal', async () => {
    proc.put({ ...shell, descriptors: { 0: '/dev/null' } })
    proc.put(program)
    expect(await failures()).toEqual(['stty: stty does not answer for /dev/null'])
  })

  it.skipIf(process.platform !== 'linux')('is complete for a real cat (needs procfs)', async () => {
    const cat = startProgram(['/bin/cat'])
    try {
      await waitUntil('cat waits', async () => (await readEvidence(cat.pid)).every(({ ok }) => ok))
      expect((await readEvidence(cat.pid)).map(({ detail }) => detail)).toEqual([
        'cat is in front',
        'waits in read',
        'readable',
        'counts its waits',
        `reads ${cat.ttyPath}`,
        'echo is on',
      ])
    } finally {
      await cat.end()
    }
  })
})
