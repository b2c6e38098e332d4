/** What a confined shell cannot do, in every runner that works here. */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConfinedCommand, SandboxPolicy } from '../../src/contract.js'
import { createBwrapRunner } from '../../src/runner/bwrap.js'
import { createLandlockRunner } from '../../src/runner/landlock.js'
import { probeRunner } from '../../src/runner/probe.js'
import { createSandboxService } from '../../src/runner/service.js'

useBaseline()

let base: string
let workspace: string
let secret: string

beforeEach(() => {
  // Below the home directory, not below /tmp: a runner that hides /tmp must not get the credit.
  base = realpathSync(mkdtempSync(join(process.env.HOME ?? tmpdir(), '.sandbox-breakout-')))
  workspace = join(base, 'workspace')
  secret = join(base, 'outside', 'file')
  mkdirSync(workspace)
  mkdirSync(join(base, 'outside'))
  writeFileSync(secret, 'untouched')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function runConfined(command: ConfinedCommand): Promise<Finished> {
  const [file, ...args] = command.argv
  return new Promise((resolve) => {
    execFile(file, args, { env: { ...process.env, ...command.env }, cwd: workspace }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}

describe.each([
  ['bwrap', createBwrapRunner],
  ['landlock', createLandlockRunner],
])('%s', (name, createRunner) => {
  const runner = createRunner()

  async function attempt(script: string, mode: SandboxPolicy['mode'] = 'workspace-write'): Promise<Finished> {
    const sandbox = createSandboxService({ runners: [runner], probe: probeRunner })
    const command = await sandbox.confine(['/bin/bash', '-c', script], {
      mode,
      workspaceRoot: workspace,
      network: 'allow',
    })
    try {
      return await runConfined(command)
    } finally {
      await command.release()
    }
  }

  test('works on this machine', async () => {
    expect(await probeRunner(runner)).toMatchObject({ runner: name, usable: true })
  })

  test('workspace-write writes the workspace and the temporary directory', async () => {
    const { code, stderr } = await attempt(
      'echo yes > file && mkdir -p a/b && mv file a/b/ && echo t > "$TMPDIR/t" && cat "$TMPDIR/t"',
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(readFileSync(join(workspace, 'a/b/file'), 'utf8')).toBe('yes\n')
  })

  test('read-only writes the temporary directory and not the workspace', async () => {
    expect(await attempt('echo t > "$TMPDIR/t" && cat "$TMPDIR/t"', 'read-only')).toMatchObject({
      code: 0,
      stdout: 't\n',
    })
    expect((await attempt('echo no > file', 'read-only')).code).not.toBe(0)
    expect(existsSync(join(workspace, 'file'))).toBe(false)
  })

  test('reads what lies outside, and null and tty devices take writes', async () => {
    expect(await attempt(`cat ${secret} && echo x > /dev/null`)).toMatchObject({ code: 0, stdout: 'untouched' })
  })

  test.each([
    ['an absolute path', (file: string) => `echo broken > ${file}`],
    ['a path with dots', () => 'echo broken > ../outside/file'],
    ['a symlink', (file: string) => `ln -s ${file} link && echo broken > link`],
    ['a symlink to the directory', (file: string) => `ln -s ${join(file, '..')} dir && echo broken > dir/file`],
    ['a hard link', (file: string) => `ln ${file} hard && echo broken > hard`],
    ['/proc/self/root', (file: string) => `echo broken > /proc/self/root${file}`],
    ['/proc/self/cwd', () => 'echo broken > /proc/self/cwd/../outside/file'],
    ['a rename over it', (file: string) => `echo broken > new && mv -f new ${file}`],
    ['removing it', (file: string) => `rm -f ${file}`],
    ['a descriptor opened for writing', (file: string) => `exec 9<> ${file} && echo broken >&9`],
    ['truncation', (file: string) => `truncate -s 0 ${file}`],
    ['another program', (file: string) => `python3 -c "open('${file}','w').write('broken')"`],
    ['a mount on top', (file: string) => `mount --bind . ${join(file, '..')} && echo broken > ${file}`],
    [
      'a namespace of its own',
      (file: string) => `unshare -rm sh -c 'mount -o remount,rw,bind / && echo broken > ${file}'`,
    ],
  ])('cannot write outside by %s', async (_, script) => {
    await attempt(script(secret))
    expect(readFileSync(secret, 'utf8')).toBe('untouched')
  })

  test('a symlink that was in the workspace before leads nowhere either', async () => {
    symlinkSync(secret, join(workspace, 'old'))
    expect((await attempt('echo broken > old')).code).not.toBe(0)
    expect(readFileSync(secret, 'utf8')).toBe('untouched')
  })

  test('the private temporary directory is gone after the release', async () => {
    const sandbox = createSandboxService({ runners: [runner], probe: probeRunner })
    const policy = { mode: 'read-only', workspaceRoot: workspace, network: 'allow' } as const
    const one = await sandbox.confine(['/bin/sh', '-c', 'echo x > "$TMPDIR/x"; echo "$TMPDIR"'], policy)
    const two = await sandbox.confine(['/bin/sh', '-c', 'ls "$TMPDIR"'], policy)
    await runConfined(one)
    expect((await runConfined(two)).stdout).toBe('')
    const directories = [one, two].flatMap(({ argv }) => argv.filter((part) => part.includes('agent-terminals-')))
    expect(directories.length).toBeGreaterThanOrEqual(2)
    await Promise.all([one.release(), two.release()])
    expect(directories.filter((directory) => existsSync(directory))).toEqual([])
  })
})

describe('bwrap', () => {
  test('denies the network when asked', async () => {
    const sandbox = createSandboxService({ runners: [createBwrapRunner()], probe: probeRunner })
    const script = 'import socket; print([name for _, name in socket.if_nameindex()])'
    const command = await sandbox.confine(['/usr/bin/env', 'python3', '-c', script], {
      mode: 'read-only',
      workspaceRoot: workspace,
      network: 'deny',
    })
    expect((await runConfined(command)).stdout).toBe("['lo']\n")
    await command.release()
  })

  test('keeps a workspace below /tmp writable and shows what must be visible there', async () => {
    const below = realpathSync(mkdtempSync('/tmp/sandbox-below-'))
    writeFileSync(join(below, 'seen'), 'seen')
    try {
      const sandbox = createSandboxService({ runners: [createBwrapRunner()], probe: probeRunner })
      const inWorkspace = await sandbox.confine(['/bin/sh', '-c', `echo yes > ${below}/made`], {
        mode: 'workspace-write',
        workspaceRoot: below,
        network: 'allow',
      })
      await runConfined(inWorkspace)
      expect(readFileSync(join(below, 'made'), 'utf8')).toBe('yes\n')
      await inWorkspace.release()

      const policy = { mode: 'workspace-write', workspaceRoot: workspace, network: 'allow' } as const
      const visible = await sandbox.confine(['/bin/sh', '-c', `cat ${below}/seen; echo no > ${below}/seen`], policy, {
        visible: [below],
      })
      expect((await runConfined(visible)).stdout).toBe('seen')
      expect(readFileSync(join(below, 'seen'), 'utf8')).toBe('seen')
      await visible.release()
    } finally {
      rmSync(below, { recursive: true })
    }
  })

  test.each(['read-only', 'workspace-write'] as const)(
    'has a private temporary directory beside a workspace that is /tmp itself, in %s',
    async (mode) => {
      const sandbox = createSandboxService({ runners: [createBwrapRunner()], probe: probeRunner })
      const file = `/tmp/breakout-${process.pid}`
      const script = `echo t > "$TMPDIR/t" && cat "$TMPDIR/t"; echo w > ${file}; true`
      const command = await sandbox.confine(['/bin/sh', '-c', script], {
        mode,
        workspaceRoot: realpathSync('/tmp'),
        network: 'allow',
      })
      expect((await runConfined(command)).stdout).toBe('t\n')
      expect(existsSync(file)).toBe(mode === 'workspace-write')
      await command.release()
      rmSync(file, { force: true })
    },
  )

  test('starts where it is told to, or not at all', async () => {
    const sandbox = createSandboxService({ runners: [createBwrapRunner()], probe: probeRunner })
    const policy = { mode: 'read-only', workspaceRoot: workspace, network: 'allow' } as const
    const there = await sandbox.confine(['/bin/pwd'], policy, { cwd: join(base, 'outside') })
    expect((await runConfined(there)).stdout).toBe(`${join(base, 'outside')}\n`)
    await there.release()
    const gone = await sandbox.confine(['/bin/pwd'], policy, { cwd: join(base, 'missing') })
    expect(await runConfined(gone)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('missing') })
    await gone.release()
  })

  test('ends every descendant when the wrapper ends', async () => {
    const daemon = `sleep ${1_000_000 + process.pid}`
    const sandbox = createSandboxService({ runners: [createBwrapRunner()], probe: probeRunner })
    const command = await sandbox.confine(
      ['/bin/sh', '-c', `setsid ${daemon} </dev/null >/dev/null 2>&1 & sleep 0.1`],
      {
        mode: 'read-only',
        workspaceRoot: workspace,
        network: 'allow',
      },
    )
    expect(command.endsDescendants).toBe(true)
    await runConfined(command)
    await command.release()
    // The baseline of the suite would find it as well; saying it here names the promise.
    const { execFileSync } = await import('node:child_process')
    expect(execFileSync('ps', ['-A', '-o', 'command='], { encoding: 'utf8' })).not.toContain(daemon)
  })
})
