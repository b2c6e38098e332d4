/**
 * A host with one terminal, full of programs that do not leave by themselves. Says `ready <shell pid> <tag>`, then ends
 * in the way that its argument names.
 */
import { spawn } from 'node-pty'
import { HOST_TAG_VARIABLE, joinHostEnd } from '../../src/host-end/index.js'
import { captureIdentity } from '../../src/teardown/index.js'

const STUBBORN = [
  'nohup sleep 999 >/dev/null 2>&1 &',
  'setsid nohup sleep 998 >/dev/null 2>&1 &',
  'nohup env -i /bin/sleep 997 >/dev/null 2>&1 &',
  `python3 -c 'import signal, time`,
  'for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)',
  `print("UP" + "NOW", flush=True); time.sleep(996)'`,
].join('\n')

const hostEnd = joinHostEnd()
const pty = spawn('/bin/bash', ['--norc', '--noprofile', '-i'], {
  cwd: '/tmp',
  env: { PATH: process.env.PATH ?? '/usr/bin:/bin', TERM: 'xterm', HISTFILE: '', [HOST_TAG_VARIABLE]: hostEnd.tag },
})
hostEnd.guard(captureIdentity(pty.pid))

const endings: Readonly<Record<string, () => void>> = {
  exit: () => process.exit(3),
  throw: () =>
    setImmediate(() => {
      throw new Error('nobody catches this')
    }),
  SIGTERM: () => void process.kill(process.pid, 'SIGTERM'),
  SIGINT: () => void process.kill(process.pid, 'SIGINT'),
  SIGHUP: () => void process.kill(process.pid, 'SIGHUP'),
  SIGKILL: () => void process.kill(process.pid, 'SIGKILL'),
}

let output = ''
pty.onData((data) => {
  output += data
  if (!output.includes('UPNOW')) return
  output = ''
  process.stdout.write(`ready ${pty.pid} ${hostEnd.tag}\n`, () => endings[process.argv[2] ?? '']?.())
})
pty.write(`${STUBBORN}\r`)
