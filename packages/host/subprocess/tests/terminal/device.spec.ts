import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { openDevice, openNative, openPortable } from './open-device.js'

useBaseline()

describe.each([
  ['native', openNative()],
  ['portable', openPortable()],
])('a %s device', (kind, open) => {
  it('gives the program a terminal of the asked size on the named device', async () => {
    const opened = openDevice(open, ['/bin/sh', '-c', 'tty; stty size'], { size: { columns: 101, rows: 7 } })
    expect(await opened.exited).toEqual({ kind: 'code', code: 0 })
    expect(opened.text()).toContain(`${opened.device.ttyPath}\r\n7 101\r\n`)
  })

  it('reports a signal by name', async () => {
    const opened = openDevice(open, ['/bin/sh', '-c', 'kill -KILL $$'])
    expect(await opened.exited).toEqual({ kind: 'signal', signal: 'SIGKILL' })
  })

  it('hands bytes over unchanged', async () => {
    const opened = openDevice(open, ['/usr/bin/printf', '\\377\\200\\303('])
    await opened.exited
    expect(opened.byteCount()).toBe(4)
  })

  it('takes input and passes it on', async () => {
    const opened = openDevice(open, ['/bin/sh', '-c', 'read line; echo "got:$line"'])
    expect(opened.device.write(Buffer.from('hello\r'))).toBe(6)
    await opened.waitForText('got:hello')
    await opened.exited
  })

  it('changes the size', async () => {
    const opened = openDevice(open, ['/bin/sh', '-c', 'read line; stty size'])
    opened.device.resize({ columns: 50, rows: 9 })
    opened.device.write(Buffer.from('\r'))
    await opened.exited
    expect(opened.text()).toContain('9 50')
  })

  it('hangs up on a program that is still there when it is closed', async () => {
    const opened = openDevice(open, ['/bin/sh', '-c', 'echo ready; exec sleep 600'])
    await opened.waitForText('ready')
    opened.device.close()
    opened.device.close()
    expect(await opened.exited).toEqual({ kind: 'signal', signal: 'SIGHUP' })
    expect(opened.device.write(Buffer.from('late'))).toBe(0)
    opened.device.resize({ columns: 10, rows: 10 })
  })

  it('stops the program while paused and continues with nothing missing', async () => {
    const opened = openDevice(open, ['/usr/bin/seq', '1', '200000'])
    await opened.waitForText('1000\r\n')
    opened.device.pause()
    let seen = -1
    await waitUntil('output stops', async () => {
      const isQuiet = opened.byteCount() === seen
      seen = opened.byteCount()
      await new Promise((resolve) => setTimeout(resolve, 30))
      return isQuiet
    })
    expect(seen).toBeLessThan(1_000_000)
    opened.device.resume()
    await opened.waitForText(kind === 'native' ? '\n200000\r\n' : '\n190000\r\n')
    await opened.exited
    const lines = opened.text().split('\r\n')
    for (const [index, line] of lines.slice(0, 190_000).entries()) expect(line).toBe(String(index + 1))
  })
})
