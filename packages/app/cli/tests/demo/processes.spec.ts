import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, test } from 'vitest'
import { findLeftovers, listProcesses, parseProcesses } from '../../src/demo/processes.js'

useBaseline()

describe('leftovers', () => {
  const before = parseProcesses('    1     0 Ss   init\n  100     1 Sl   node host\n')
  const after = (...lines: string[]) => [...before, ...parseProcesses(lines.join('\n'))]

  test.each([
    ['a child', '  101   100 S    sleep 1', [101]],
    ['a grandchild', '  101   100 S    sh\n  102   101 S    sleep 1', [101, 102]],
    ['a daemon that carries the tag', '  103     1 S    sleep 1 PATH=/bin AGENT_TERMINALS_TAG=abc', [103]],
    ['a zombie', '  104   100 Z    [sleep] <defunct>', []],
    ['the listing itself', '  105   100 R    ps axeww -o pid=', []],
    ["somebody else's process", '  106     1 S    sleep 1 PATH=/bin', []],
  ])('%s', (_, lines, expected) => {
    expect(findLeftovers(before, after(...lines.split('\n')), 100).map(({ pid }) => pid)).toEqual(expected)
  })

  test('a real child, and a real orphan with the tag, are found', async () => {
    const known = await listProcesses()
    const child = spawn('sh', ['-c', '(setsid sleep 60 >/dev/null 2>&1 &) ; echo ready; exec sleep 60'], {
      env: { ...process.env, AGENT_TERMINALS_TAG: 'demo-test' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child.stdout, 'data')
    const found = findLeftovers(known, await listProcesses(), process.pid)
    for (const { pid } of found) process.kill(pid, 'SIGKILL')
    await once(child, 'close')
    expect(found.map(({ command }) => command.replace(/^(\S+ \S+).*$/, '$1'))).toEqual(['sleep 60', 'sleep 60'])
  })
})
