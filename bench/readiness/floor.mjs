/** The bare minimum: a bash on raw node-pty whose prompt carries a marker. */
import { spawn } from 'node-pty'

const MARKER = '\x1b]9999;ready\x07'

export async function openFloor() {
  const started = performance.now()
  const pty = spawn('bash', ['--noprofile', '--norc', '-i'], {
    cols: 120,
    rows: 30,
    env: { ...process.env, PS1: `\\[${MARKER}\\]$ `, HISTFILE: '' },
  })
  let notify = () => {}
  let tail = ''
  pty.onData((data) => {
    tail = (tail + data).slice(-4_096)
    const at = tail.indexOf(`${MARKER}$ `)
    if (at < 0) return
    tail = tail.slice(at + MARKER.length)
    notify()
  })
  const prompt = () =>
    new Promise((resolve) => {
      notify = resolve
    })
  await prompt()
  const openMs = performance.now() - started
  return {
    openMs,
    async send(text) {
      const done = prompt()
      pty.write(`${text}\r`)
      await done
    },
    close() {
      const ended = new Promise((resolve) => pty.onExit(resolve))
      pty.kill('SIGKILL')
      return ended
    },
  }
}
