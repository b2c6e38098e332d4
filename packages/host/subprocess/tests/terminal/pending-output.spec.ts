import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSpec, openSubprocess } from '../open-subprocess.js'
import { openDevice, openNative } from './open-device.js'

useBaseline()

const open = openNative()
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pending-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** Wait for a file without giving the event loop a turn, in which output would be read anyway. */
function waitInPlace(path: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (const until = performance.now() + 10_000; performance.now() < until; Atomics.wait(pause, 0, 0, 1)) {
    if (existsSync(path)) return
  }
  throw new Error(`${path} does not appear`)
}

describe('reading what is pending', () => {
  it('hands over at once what a program has printed, and says that it was all', async () => {
    for (let round = 0; round < 20; round++) {
      const file = join(directory, `printed-${round}`)
      const opened = openDevice(open, ['/bin/sh', '-c', `printf '%03000d' 7; : > ${file}; exec sleep 600`])
      waitInPlace(file)
      expect(opened.device.readPending?.()).toBe(true)
      expect(opened.byteCount()).toBe(3_000)
      opened.device.close()
      await opened.exited
    }
  })

  it('reads nothing and promises nothing while paused', async () => {
    const file = join(directory, 'printed')
    const opened = openDevice(open, ['/bin/sh', '-c', `echo late; : > ${file}; exec sleep 600`])
    opened.device.pause()
    waitInPlace(file)
    expect(opened.device.readPending?.()).toBe(false)
    expect(opened.byteCount()).toBe(0)
    opened.device.close()
    await opened.exited
    expect(opened.device.readPending?.()).toBe(false)
  })
})

describe('a look at a program that waits', () => {
  it('comes behind everything that it has printed', async () => {
    const { service, dispose } = await openSubprocess()
    const program = 'for ((n = 1;; n++)); do read -r x; printf "%0*d<$n>" $((n * 37 % 5000)) 0; done'
    const terminal = await service.spawnTerminal(createSpec(['/bin/bash', '-c', program]))
    let text = ''
    terminal.onOutput((chunk) => {
      text += Buffer.from(chunk).toString()
    })
    let wakeups = -1
    const waitForWait = async () => {
      for (;;) {
        const look = await terminal.inspect()
        const wait = look?.waits[0]
        if (wait && wait.wakeups > wakeups) return { wait, look }
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    for (let round = 0; round < 200; round++) {
      const { wait, look } = await waitForWait()
      expect(look.outputRead).toBe(true)
      if (round > 0) expect(text.endsWith(`<${round}>`)).toBe(true)
      wakeups = wait.wakeups
      await terminal.write('\n')
    }
    await terminal.terminate({ graceMs: 1_000 })
    await dispose()
  })
})
