/**
 * Program of the teardown benchmark: a host whose terminal is full of programs that do not leave by themselves. Prints
 * `ready <pid of the terminal> <tag of the host>`, and at the first byte of input ends in the way that its first argument names;
 * the second names the sandbox runner, the third is the workspace that the runner is to confine to.
 */
import * as subprocess from '@agent-terminals/subprocess'
import { Context } from '@deepseek-ai/cordis'
import { startRunners } from './runners.mjs'

const [way, runnerName, workspace] = process.argv.slice(2)
const STUBBORN = [
  'nohup sleep 999 >/dev/null 2>&1 &',
  'setsid nohup sleep 998 >/dev/null 2>&1 &',
  'nohup env -i /bin/sleep 997 >/dev/null 2>&1 &',
  `python3 -c 'import signal, time`,
  'for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)',
  `print("UP" + "NOW", flush=True); time.sleep(996)'`,
].join('\n')

const endings = {
  'normal exit': () => process.exit(0),
  'uncaught exception': () =>
    setImmediate(() => {
      throw new Error('nobody catches this')
    }),
  SIGTERM: () => process.kill(process.pid, 'SIGTERM'),
  SIGINT: () => process.kill(process.pid, 'SIGINT'),
  SIGKILL: () => process.kill(process.pid, 'SIGKILL'),
}

const ctx = new Context()
await ctx.plugin(subprocess, {})
const { runners } = await startRunners([runnerName], workspace)
const { argv, env } = await runners[0].confine(['/bin/bash', '--norc', '--noprofile', '-i'])
const terminal = await ctx.subprocess.spawnTerminal({
  argv,
  cwd: '/',
  env: { ...env, HISTFILE: '' },
  size: { columns: 80, rows: 24 },
  terminalType: 'dumb',
})
let output = ''
terminal.onOutput((chunk) => {
  output += Buffer.from(chunk).toString()
  if (!output.includes('UPNOW')) return
  output = ''
  process.stdout.write(`ready ${terminal.pid} ${ctx.subprocess.hostTag}\n`)
})
process.stdin.once('data', () => endings[way]())
await terminal.write(`${STUBBORN}\r`)
