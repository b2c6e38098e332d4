/** What macOS is asked through programs of its own, by their command lines and answers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readAttributes } from '../../src/terminal/attributes.js'
import { readWorkingDirectory } from '../../src/terminal/working-directory.js'

useBaseline()

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'programs-'))
  vi.stubEnv('PATH', `${directory}:${process.env.PATH}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(directory, { recursive: true })
})

const putProgram = (name: string, script: string) =>
  writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

describe('the working directory on macOS', () => {
  it('is what lsof says of the process', async () => {
    putProgram('lsof', `[ "$*" = "-a -p 42 -d cwd -Fn" ] && printf 'p42\\nfcwd\\nn/Users/ann/my work\\n'`)
    expect(await readWorkingDirectory(42, 'darwin')).toBe('/Users/ann/my work')
  })

  it('is not known when lsof fails', async () => {
    putProgram('lsof', 'exit 1')
    expect(await readWorkingDirectory(42, 'darwin')).toBeUndefined()
  })

  it('is not known on a system that nobody knows', async () => {
    expect(await readWorkingDirectory(process.pid, 'aix')).toBeUndefined()
  })
})

describe('the settings of a terminal on macOS', () => {
  it('are asked for by the option that stty has there', async () => {
    putProgram('stty', `[ "$1" = -f ] && echo 'lflags: icanon isig -echo'`)
    expect(await readAttributes('/dev/ttys003', 'darwin')).toMatchObject({ canonical: true, echo: false })
  })
})
