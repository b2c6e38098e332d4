import { closeSync, openSync, readdirSync } from 'node:fs'
import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { openDevice, openNative } from './open-device.js'

useBaseline()

const open = openNative()
/** `seq 1 100000` with CR LF line ends. */
const SEQ_BYTES = 688_895

describe('output before an exit', () => {
  it.each([
    ['a program that is the session leader', ['/usr/bin/seq', '1', '100000'], SEQ_BYTES],
    ['a shell', ['/bin/bash', '-c', 'seq 1 100000; exit 3'], SEQ_BYTES],
    ['20 KB and an immediate exit', ['/usr/bin/head', '-c', '20000', '/dev/zero'], 20_000],
  ] as const)('is complete for %s, 40 times', async (_, argv, bytes) => {
    for (let round = 0; round < 40; round++) {
      const opened = openDevice(open, argv)
      await opened.exited
      expect(opened.byteCount()).toBe(bytes)
    }
  })

  it('is complete when the program ends while paused', async () => {
    // Little enough for the kernel to hold, so that the program can end without being read.
    const opened = openDevice(open, ['/usr/bin/head', '-c', '3000', '/dev/zero'])
    opened.device.pause()
    await opened.exited
    expect(opened.byteCount()).toBe(3_000)
  })
})

it('reports the exit although a background process holds the terminal', async () => {
  const opened = openDevice(open, ['/bin/bash', '-c', 'trap "" HUP; sleep 600 & echo "child:$!"; exit 1'])
  expect(await opened.exited).toEqual({ kind: 'code', code: 1 })
  const child = Number(/child:(\d+)/.exec(opened.text())?.[1])
  // Still there: the exit was not reported because the child had gone.
  expect(process.kill(child, 0)).toBe(true)
  process.kill(child, 'SIGKILL')
})

it('ends although a background process prints without end', async () => {
  const opened = openDevice(open, ['/bin/bash', '-c', 'yes & exit 4'])
  expect(await opened.exited).toEqual({ kind: 'code', code: 4 })
})

it('hangs up on a program that gives its terminal up', async () => {
  const opened = openDevice(open, ['/bin/sh', '-c', 'exec <&- >&- 2>&-; sleep 600'])
  expect(await opened.exited).toEqual({ kind: 'signal', signal: 'SIGHUP' })
})

it('lets no program inherit descriptors of the host, masters of other terminals included', async () => {
  const holes = Array.from({ length: 40 }, () => openSync('/dev/null', 'r'))
  const other = openDevice(open, ['/bin/cat'])
  for (const fd of holes) closeSync(fd)
  const before = readdirSync('/proc/self/fd').length
  const opened = openDevice(open, ['/bin/ls', '-l', '/proc/self/fd'])
  await opened.exited
  // The last one is the listing itself.
  expect(opened.text().match(/\d+ -> .*/g)).toEqual([
    `0 -> ${opened.device.ttyPath}`,
    `1 -> ${opened.device.ttyPath}`,
    `2 -> ${opened.device.ttyPath}`,
    expect.stringMatching(/^3 -> \/proc\/\d+\/fd/),
  ])
  expect(readdirSync('/proc/self/fd').length).toBe(before)
  other.device.close()
  await other.exited
})

it('marks the terminal as UTF-8, so that erasing removes whole characters', async () => {
  const opened = openDevice(open, ['/bin/stty', '-a'])
  await opened.exited
  expect(opened.text()).toMatch(/ iutf8/)
})

it('takes part of what does not fit and nothing when there is no room', async () => {
  const opened = openDevice(open, ['/bin/sh', '-c', 'stty raw -echo; echo ready; exec sleep 600'])
  await opened.waitForText('ready')
  const data = Buffer.alloc(1_000_000, 'x')
  let taken = 0
  for (;;) {
    const count = opened.device.write(data.subarray(taken))
    if (count === 0) break
    taken += count
  }
  expect(taken).toBeGreaterThan(4_000)
  expect(taken).toBeLessThan(200_000)
  opened.device.close()
  await opened.exited
})
