import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { createInspector, signalForegroundGroup } from '../../src/inspector/index.js'
import { captureIdentity, SESSION_TAG_VARIABLE, terminateTree } from '../../src/teardown/index.js'
import { BUBBLEWRAP, canConfine } from '../support/bubblewrap.js'
import { startProgram } from '../support/pty-program.js'

describe.skipIf(!canConfine())(
  'a shell in a pid namespace, seen from outside (needs bubblewrap and user namespaces)',
  () => {
    useBaseline()

    async function openConfined() {
      const tag = `confined-${process.pid}`
      const bash = startProgram([...BUBBLEWRAP, '/bin/bash', '--norc', '-i'], { [SESSION_TAG_VARIABLE]: tag })
      await bash.waitForOutput('ready> ')
      const { pid, ttyPath } = bash
      const inspector = createInspector({ platform: process.platform, arch: process.arch, rootPid: pid, ttyPath })
      const waitForCall = async (command: string) => {
        await waitUntil(`${command} waits`, async () => {
          const look = await inspector.inspect()
          return look?.waits.length === 1 && look.members[0]?.command === command
        })
        return inspector.inspect()
      }
      return {
        ...{ bash, inspector, waitForCall, tag },
        root: captureIdentity(pid),
        async [Symbol.asyncDispose]() {
          inspector.close()
          await bash.end()
        },
      }
    }

    it('is proven to wait, and is the top level though the runner stays in front of it', async () => {
      await using shell = await openConfined()
      const look = await shell.waitForCall('bash')
      expect(look).toMatchObject({ isTopLevel: true, waitsKnown: true })
      expect(look?.pgid).not.toBe(shell.bash.pid)
      expect(await signalForegroundGroup(shell.inspector, 'SIGKILL')).toMatchObject({ code: 'SHELL_KILL' })
    })

    it.each(['cat', 'cat /dev/tty', 'cat </dev/console'])('shows the wait of: %s', async (command) => {
      await using shell = await openConfined()
      shell.bash.write(`${command}\r`)
      expect(await shell.waitForCall('cat')).toMatchObject({ isTopLevel: false, waits: [{ call: 'read' }] })
    })

    it('ends with everything in the namespace', async () => {
      await using shell = await openConfined()
      shell.bash.write('setsid sleep 999 & env -i sleep 998 & cat\r')
      await shell.waitForCall('cat')
      const { root, tag } = shell
      expect(await terminateTree({ root, tag, graceMs: 5000 })).toMatchObject({ forced: false })
      await shell.bash.exited
    })
  },
)
