/** Attempts to get out of a confined terminal that need the terminal; those by files alone are tested with the runners. */
import { chmodSync, closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildConfinedHouse, CONFINEMENTS, type ConfinedHouse, RUNNERS } from '../support/confined-house.js'
import type { Terminal } from '../support/shell-host.js'

useBaseline()

/** Types bytes into a terminal as if they had come from its keyboard: TIOCSTI, ioctl_tty(2). */
const TYPE = `import fcntl, os, sys
fd = os.open(sys.argv[1], os.O_RDWR)
[fcntl.ioctl(fd, 0x5412, bytes([byte])) for byte in sys.argv[2].encode().decode("unicode_escape").encode()]
`

describe.each(CONFINEMENTS)('in $runner, $mode', ({ runner, mode }) => {
  let house: ConfinedHouse
  let terminal: Terminal
  beforeAll(async () => {
    house = await buildConfinedHouse({ runner, mode })
    writeFileSync(join(house.workspace, 'type.py'), TYPE)
    terminal = await house.open()
  })
  afterAll(() => house.close())
  const secretNow = () => readFileSync(house.secret, 'utf8')

  it.each([
    ['the shell itself', (file: string) => `echo broken > ${file}`],
    ['a child', (file: string) => `bash -c 'echo broken > ${file}'`],
    ['a REPL', (file: string) => `python3 -c "open('${file}', 'w').write('broken')"`],
    ['a background job', (file: string) => `(sleep 0.05; echo broken > ${file}) & wait`],
    ['a daemon with a session of its own', (file: string) => `setsid -w sh -c 'echo broken > ${file}'`],
    ['a program in a terminal of its own', (file: string) => `script -qc 'sh -c "echo broken > ${file}"' /dev/null`],
    ['a shell that replaces the shell', (file: string) => `(exec bash -c 'echo broken > ${file}')`],
    ['the root of the host', (file: string) => `echo broken > /proc/${process.pid}/root${file}`],
    ['the directory of the host', (file: string) => `echo broken > /proc/${process.pid}/cwd/../../../../../..${file}`],
    ['the root of its first process', (file: string) => `echo broken > /proc/1/root${file}`],
    ['the memory of the host', () => `printf x | dd of=/proc/${process.pid}/mem bs=1 seek=4096 conv=notrunc`],
  ])('%s cannot write outside', async (_who, attempt) => {
    const { exitCode } = await terminal.send(attempt(house.secret))
    expect(secretNow()).toBe('untouched')
    expect(exitCode).toBeDefined()
  })

  it('a file that the host has open for writing is not among the descriptors', async () => {
    const fd = openSync(house.secret, 'r+')
    const fresh = await house.open()
    const listing = (await fresh.send('ls -l /proc/$$/fd /proc/self/fd')).viewport.text
    expect(listing).toContain('/dev/')
    expect(listing).not.toContain(house.secret)
    const stolen = await fresh.send(`echo broken > /proc/${process.pid}/fd/${fd}`)
    expect(stolen.exitCode).not.toBe(0)
    expect(secretNow()).toBe('untouched')
    await fresh.close()
    closeSync(fd)
  })

  it('what is typed into its own terminal by an ioctl reaches the confined shell alone', async () => {
    const typing = await house.open()
    await typing.send(`python3 type.py /dev/tty 'echo typed; echo broken > ${house.secret}\\n'`)
    const after = await typing.send('echo end')
    expect(`${typing.read().text}${after.viewport.text}`).toMatch(/Operation not permitted|Input\/output error|typed/)
    expect(secretNow()).toBe('untouched')
    await typing.close()
  })

  it('a daemon that waits for the end of the terminal does not outlive it', async () => {
    const fresh = await house.open()
    await fresh.send(
      `(trap '' HUP TERM; setsid sh -c 'echo $$ > "$TMPDIR/up"; while :; do sleep 0.02; echo broken > ${house.secret}; done') >/dev/null 2>&1 </dev/null &`,
    )
    await fresh.send('until [ -s "$TMPDIR/up" ]; do sleep 0.01; done')
    await fresh.close()
    expect(secretNow()).toBe('untouched')
  })

  it('nothing is left in the workspace that it must not write', async () => {
    await terminal.send('echo made > made')
    expect(existsSync(join(house.workspace, 'made'))).toBe(mode === 'workspace-write')
  })
})

describe.each(RUNNERS)('other processes of the user, from %s', (runner) => {
  let house: ConfinedHouse
  let terminal: Terminal
  beforeAll(async () => {
    house = await buildConfinedHouse({ runner })
    terminal = await house.open()
  })
  afterAll(() => house.close())
  const codeOf = async (text: string) => (await terminal.send(text)).exitCode

  it('cannot be traced', async () => {
    expect(await codeOf(`cat /proc/${process.pid}/environ > /dev/null`)).not.toBe(0)
    expect(await codeOf(`timeout 2 strace -o /dev/null -p ${process.pid}`)).toBe(1)
    expect(isAlive(process.pid)).toBe(true)
  })

  it('are out of reach of signals where there is a process namespace, and only there', async () => {
    const code = await codeOf(`kill -0 ${process.pid}`)
    expect(code === 0).toBe(runner !== 'bwrap')
  })

  it('do not get what is typed into their terminals by an ioctl', async () => {
    const other = await house.open()
    const name = (await other.send('tty')).viewport.text.trim()
    writeFileSync(join(house.workspace, 'type.py'), TYPE)
    expect((await other.send('cat')).state).toBe('line')
    // Where terminals are its own, the name means its own terminal, or none.
    if (runner !== 'bwrap') {
      expect((await terminal.send(`python3 type.py ${name} 'typed\\n'`)).viewport.text).toContain('not permitted')
    }
    expect((await other.send('', { submit: false, timeoutMs: 300 })).viewport.text).not.toContain('typed')
    await other.close()
  })

  it('find modes of their files changed where only content and names are governed', async () => {
    chmodSync(house.secret, 0o644)
    expect(await codeOf(`chmod 600 ${house.secret}`)).toBe(runner === 'bwrap' ? 1 : 0)
    expect(statSync(house.secret).mode & 0o777).toBe(runner === 'bwrap' ? 0o644 : 0o600)
  })

  it('and their terminals are out of sight where there are terminals of its own, and only there', async () => {
    const other = await house.open()
    const listing = (await terminal.send('ls /dev/pts')).viewport.text
    const machine = readdirSync('/dev/pts').filter((name) => name !== 'ptmx')
    expect(machine.every((name) => listing.split(/\s+/).includes(name))).toBe(runner !== 'bwrap')
    await other.close()
  })
})

describe.each(RUNNERS.filter((runner) => runner === 'bwrap'))('services of the machine, from %s', (runner) => {
  it('are out of reach: /run has nothing but name resolution and programs', async () => {
    const house = await buildConfinedHouse({ runner })
    const terminal = await house.open()
    const { viewport } = await terminal.send('ls -A /run /var/run/')
    const names = viewport.text.split(/\s+/).filter((name) => name !== '' && !name.endsWith(':'))
    expect(
      names.filter(
        (name) =>
          !/^(systemd|resolvconf|NetworkManager|current-system|booted-system|wrappers|opengl-driver)$/.test(name),
      ),
    ).toEqual([])
    await house.close()
  })

  it('on the network are out of reach where it is denied', async () => {
    const house = await buildConfinedHouse({ runner, network: 'deny' })
    const server = createServer((socket) => socket.end('reached'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const terminal = await house.open()
    expect((await terminal.send(`exec 8<>/dev/tcp/127.0.0.1/${port}`)).exitCode).not.toBe(0)
    await house.close()
    await new Promise((resolve) => server.close(resolve))
    await waitUntil('the server is closed', () => !server.listening)
  })
})
