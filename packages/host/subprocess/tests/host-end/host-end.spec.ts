import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listDescendants, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { HostEnd } from '../../src/host-end/index.js'
import { joinHostEnd } from '../../src/host-end/index.js'
import { isZombie, parseProcStat } from '../../src/inspector/parse-stat.js'
import { type BundledProgram, bundleProgram } from '../support/bundle-program.js'
import { hasProgram } from '../support/programs.js'

const HOST = fileURLToPath(new URL('./host.fixture.ts', import.meta.url))

/** Live processes of the host's terminals: by their tag, or by the session of the shell. */
function listLeft(tag: string, sessionId: number): string[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name)) return []
      const stat = parseProcStat(readFileSync(`/proc/${name}/stat`, 'latin1'))
      if (stat === undefined || isZombie(stat)) return []
      const isOurs = stat.sessionId === sessionId || readFileSync(`/proc/${name}/environ`, 'latin1').includes(tag)
      return isOurs ? [`${name} (${stat.command})`] : []
    } catch {
      return []
    }
  })
}

const listWatchers = () => listDescendants(process.pid).filter((row) => readCommandLine(row.pid).includes('watcher'))

function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

describe.skipIf(process.platform !== 'linux' || !hasProgram('python3'))(
  'the end of a host (needs procfs and python3)',
  () => {
    useBaseline()

    let host: BundledProgram
    beforeAll(async () => {
      host = await bundleProgram(HOST)
    })
    afterAll(() => host.remove())

    it.each([
      ['exits', 'exit', { code: 3, signal: null }],
      ['dies of an uncaught exception', 'throw', { code: 1, signal: null }],
      ['is ended by SIGTERM', 'SIGTERM', { code: null, signal: 'SIGTERM' }],
      ['is ended by SIGINT', 'SIGINT', { code: null, signal: 'SIGINT' }],
      ['is ended by SIGHUP', 'SIGHUP', { code: null, signal: 'SIGHUP' }],
      ['is killed', 'SIGKILL', { code: null, signal: 'SIGKILL' }],
    ])('leaves no process behind when the host %s, and changes nothing about how it ends', async (_title, way, end) => {
      const child = spawn(process.execPath, [host.path, way], { stdio: ['ignore', 'pipe', 'ignore'] })
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
      })
      const [code, signal] = await once(child, 'exit')
      expect({ code, signal }).toEqual(end)
      const [, pid, tag] = /^ready (\d+) (\w+)$/m.exec(output) ?? []
      if (pid === undefined || tag === undefined) throw new Error(`the host was not ready: ${output}`)
      await waitUntil('nothing of the session is left', () => listLeft(tag, Number(pid)).length === 0)
    })
  },
)

describe.skipIf(process.platform !== 'linux')('the watcher (needs procfs)', () => {
  useBaseline()
  const joined: HostEnd[] = []
  const join = () => {
    const member = joinHostEnd()
    joined.push(member)
    return member
  }
  afterEach(async () => {
    for (const member of joined.splice(0)) await member.close()
  })
  const root = { pid: 4_000_000, startTime: '1' }

  it('starts with the first terminal, once per host', async () => {
    const [one, other] = [join(), join()]
    expect(one.tag).toBe(other.tag)
    expect(listWatchers()).toEqual([])
    one.guard(root)
    one.guard({ ...root, pid: 4_000_001 })
    other.guard({ ...root, pid: 4_000_002 })
    await waitUntil('it has started', () => listWatchers().length > 0)
    expect(listWatchers()).toHaveLength(1)
  })

  it('stays while a member is left and has exited when the last one has closed', async () => {
    const [one, other] = [join(), join()]
    one.guard(root)
    await waitUntil('it has started', () => listWatchers().length > 0)
    await one.close()
    await one.close()
    expect(listWatchers()).toHaveLength(1)
    await other.close()
    expect(listWatchers()).toEqual([])
  })

  it('does not carry the tag that it looks for', async () => {
    const member = join()
    member.guard(root)
    await waitUntil('it has started', () => listWatchers().length > 0)
    const [watcher] = listWatchers()
    const pid = watcher?.pid ?? 0
    expect(readCommandLine(pid)).not.toContain(member.tag)
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain(member.tag)
  })

  it('is not ended by the signals of a terminal', async () => {
    const member = join()
    member.guard(root)
    await waitUntil('it ignores signals', () => {
      const status = listWatchers().map(({ pid }) => readFileSync(`/proc/${pid}/status`, 'latin1'))
      return status.some((text) => /^SigIgn:\s*0*4007$/m.test(text))
    })
  })

  it('is started again for the next terminal when something has killed it', async () => {
    const member = join()
    member.guard(root)
    await waitUntil('it has started', () => listWatchers().length > 0)
    const [first] = listWatchers()
    process.kill(first?.pid ?? 0, 'SIGKILL')
    await waitUntil('it is gone', () => listWatchers().length === 0)
    await waitUntil('there is another one', () => {
      member.guard({ ...root, pid: 4_000_003 })
      return listWatchers().length > 0
    })
    expect(listWatchers()[0]?.pid).not.toBe(first?.pid)
  })

  it('listens for the exit of the process only while a terminal is guarded', () => {
    const before = process.listenerCount('exit')
    const member = join()
    expect(process.listenerCount('exit')).toBe(before)
    const releases = [member.guard(root), member.guard({ ...root, pid: 4_000_001 })]
    expect(process.listenerCount('exit')).toBe(before + 1)
    for (const release of releases) {
      release()
      release()
    }
    expect(process.listenerCount('exit')).toBe(before)
  })
})
