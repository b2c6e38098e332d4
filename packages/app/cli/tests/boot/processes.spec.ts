import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, test } from 'vitest'
import { findOwnProcesses, listProcesses, parseProcesses } from '../../src/boot/processes.js'

useBaseline()

describe('own processes', () => {
  const host = '    1     0 Ss   init\n  100     1 Sl   node host\n'

  test.each([
    ['a child', '  101   100 S    sleep 1', [101]],
    ['a grandchild', '  101   100 S    sh\n  102   101 S    sleep 1', [101, 102]],
    ['a daemon that carries the tag', '  103     1 S    sleep 1 PATH=/bin AGENT_TERMINALS_HOST=abc', [103]],
    ['a daemon of another host', '  107     1 S    sleep 1 PATH=/bin AGENT_TERMINALS_HOST=xyz', []],
    ['a zombie', '  104   100 Z    [sleep] <defunct>', []],
    ['the listing itself', '  105   100 R    ps axeww -o pid=', []],
    ["somebody else's process", '  106     1 S    sleep 1 PATH=/bin', []],
  ])('%s', (_, lines, expected) => {
    expect(
      findOwnProcesses(parseProcesses(host + lines), { rootPid: 100, hostTag: 'abc' }).map(({ pid }) => pid),
    ).toEqual(expected)
  })

  test('a real child, and a real orphan with the tag, are found', async () => {
    const child = spawn('sh', ['-c', '(setsid sleep 60 >/dev/null 2>&1 &) ; echo ready; exec sleep 60'], {
      env: { ...process.env, AGENT_TERMINALS_HOST: 'demo-test' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child.stdout, 'data')
    const all = findOwnProcesses(await listProcesses(), { rootPid: process.pid, hostTag: 'demo-test' })
    const found = all.filter(({ command }) => command.startsWith('sleep 60'))
    for (const { pid } of found) process.kill(pid, 'SIGKILL')
    await once(child, 'close')
    expect(found.map(({ command }) => command.replace(/^(\S+ \S+).*$/, '$1'))).toEqual(['sleep 60', 'sleep 60'])
  })
})
