/** What waiting costs, and what one look costs as the machine fills up. */
import { spawn } from 'node:child_process'

const cpuMs = (since) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

/** Share of a core used by this process while `count` sends wait for `sleep 3`, in percent. */
export async function measureWaiting(host, count) {
  const terminals = await Promise.all(Array.from({ length: count }, () => host.open()))
  const cpu = process.cpuUsage()
  const started = performance.now()
  await Promise.all(terminals.map((terminal) => terminal.send('sleep 3')))
  const share = (100 * cpuMs(cpu)) / (performance.now() - started)
  await Promise.all(terminals.map((terminal) => terminal.close()))
  return share
}

/** Median time of one look in milliseconds, at a shell with one child in front. */
async function measureLook(handle) {
  for (let i = 0; i < 200; i++) await handle.inspect()
  const times = []
  for (let i = 0; i < 2_000; i++) {
    const started = performance.now()
    await handle.inspect()
    times.push(performance.now() - started)
  }
  return times.sort((one, other) => one - other)[times.length >> 1]
}

export async function measureLooks(host, others) {
  const handle = await host.subprocess.spawnTerminal({
    argv: [await host.subprocess.resolveExecutable('bash'), '--norc', '-i'],
    cwd: process.cwd(),
    size: { columns: 80, rows: 24 },
    terminalType: 'xterm',
  })
  handle.onOutput(() => {})
  await handle.write('sleep 100\r')
  const shell = await handle.foregroundGroup()
  for (let i = 0; i < 1_000 && (await handle.foregroundGroup()) === shell; i++)
    await new Promise((r) => setTimeout(r, 2))
  const before = await measureLook(handle)
  const crowd = Array.from({ length: others }, () => spawn('sleep', ['1000'], { stdio: 'ignore' }))
  // Starting them is not what is measured.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const many = await measureLook(handle)
  const ended = crowd.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of crowd) child.kill('SIGKILL')
  await Promise.all(ended)
  const few = (before + (await measureLook(handle))) / 2
  await handle.terminate({ graceMs: 1_000 })
  return { few, many }
}
