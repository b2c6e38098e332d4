import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs'
import { listDescendants, useBaseline, waitUntil } from '@agent-terminals/testing'
import { describe, expect, it, vi } from 'vitest'
import { withCoveredDescriptors, withoutDescriptorGaps } from '../src/descriptor-fence.js'
import { createSpec, openSubprocess } from './open-subprocess.js'

useBaseline()

const listNumbers = () => readdirSync('/proc/self/fd').map(Number)

const listTargets = (pid: number) =>
  readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch {
      return 'closed'
    }
  })

describe('withoutDescriptorGaps', () => {
  it('leaves no free number below an open one, and frees what it took', () => {
    const opened = Array.from({ length: 30 }, () => openSync('/dev/null', 'r'))
    const last = opened.at(-1) ?? 0
    for (const fd of opened.slice(3, -1)) closeSync(fd)
    const free = withoutDescriptorGaps(() => {
      const taken = new Set(listNumbers())
      return Array.from({ length: last }, (_, fd) => fd).filter((fd) => !taken.has(fd))
    })
    expect(free).toEqual([])
    const after = new Set(listNumbers())
    expect(opened.slice(3, -1).filter((fd) => after.has(fd)).length).toBeLessThan(3)
    for (const fd of [...opened.slice(0, 3), last]) closeSync(fd)
  })

  it('frees what it took when the fork fails', () => {
    const before = listNumbers().length
    const fail = () => {
      throw new Error('no fork')
    }
    for (let round = 0; round < 50; round++) expect(() => withoutDescriptorGaps(fail)).toThrow('no fork')
    expect(listNumbers().length).toBeLessThan(before + 25)
  })

  const failAfter = (count: number, code: string) => {
    const opened: number[] = []
    const open = () => {
      if (opened.length === count) throw Object.assign(new Error(`${code}: cannot be opened`), { code })
      const fd = openSync('/dev/null', 'r')
      opened.push(fd)
      return fd
    }
    return { open, opened }
  }
  /** A number so high that the fence needs more than a few fillers to reach it. */
  const withGap = (run: () => void) => {
    const opened = Array.from({ length: 60 }, () => openSync('/dev/null', 'r'))
    for (const fd of opened.slice(0, -1)) closeSync(fd)
    try {
      run()
    } finally {
      closeSync(opened.at(-1) ?? -1)
    }
  }

  it.each(['EMFILE', 'ENFILE'])('leaves the fork four numbers when the table is full (%s)', (code) => {
    withGap(() => {
      const { open, opened } = failAfter(10, code)
      const stillOpen = withoutDescriptorGaps(() => {
        const numbers = new Set(listNumbers())
        return opened.slice(0, -4).filter((fd) => numbers.has(fd))
      }, open)
      expect(stillOpen).toEqual(opened.slice(0, 6))
    })
  })

  it('does not fork without a fence when it cannot be put up for another reason, and frees what it took', () => {
    withGap(() => {
      const before = listNumbers().length
      const fork = vi.fn()
      expect(() => withoutDescriptorGaps(fork, failAfter(10, 'EACCES').open)).toThrow('EACCES')
      expect(fork).not.toHaveBeenCalled()
      expect(listNumbers().length).toBe(before)
    })
  })
})

describe('a long-lived child of the host', () => {
  it('holds no terminal when it was started with covered descriptors', async () => {
    const { service, dispose } = await openSubprocess()
    const terminal = await service.spawnTerminal(createSpec(['/bin/cat']))
    const start = (covers: readonly number[]) =>
      spawn('/bin/sleep', ['600'], { stdio: ['ignore', 'ignore', 'ignore', ...covers] })
    const children = [start([]), withCoveredDescriptors(start)]
    const holds = () => children.map((child) => listTargets(child.pid ?? 0).includes('/dev/ptmx'))
    // The first child shows that there is something to cover.
    await waitUntil('both run', () =>
      children.every((child) => readlinkSync(`/proc/${child.pid}/exe`).endsWith('/sleep')),
    )
    expect(holds()).toEqual([true, false])
    for (const child of children) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const watchers = listDescendants(process.pid).filter(({ command }) => command === 'sh')
    expect(watchers.map(({ pid }) => listTargets(pid).includes('/dev/ptmx'))).toEqual([false])
    await terminal.terminate({ graceMs: 500 })
    await dispose()
  })
})
