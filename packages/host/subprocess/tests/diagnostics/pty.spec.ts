import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { describePtyLibrary, tryPty } from '../../src/diagnostics/index.js'
import type { PtyWorld } from '../../src/diagnostics/pty.js'
import type { PtyBinding } from '../../src/terminal/binding.js'
import type { OpenPty } from '../../src/terminal/device.js'

useBaseline()

const refuse = (message: string) => () => {
  throw new Error(message)
}
const open: OpenPty = refuse('not opened here')
const bindingIn = (directory: string): PtyBinding => ({
  fork: refuse('not forked here'),
  resize: refuse('not resized here'),
  helperPath: `/library/${directory}/spawn-helper`,
})
const world = (change: Partial<PtyWorld>): PtyWorld => ({
  findBinding: () => undefined,
  resolveOpen: () => open,
  readVersion: () => '1.2.3',
  ...change,
})

describe('the PTY library', () => {
  it('of this installation is known', () => {
    expect(describePtyLibrary()).toEqual({
      kind: 'native',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      origin: expect.stringMatching(/^(prebuilt|compiled)$/),
    })
  })

  it.each([
    ['prebuilds/linux-x64', 'prebuilt'],
    ['build/Release', 'compiled'],
  ])('in %s is %s', (directory, origin) => {
    const findBinding = () => bindingIn(directory)
    expect(describePtyLibrary(world({ findBinding }))).toEqual({ kind: 'native', version: '1.2.3', origin })
  })

  it('without a binding that we know is used by its public interface', () => {
    expect(describePtyLibrary(world({}))).toEqual({ kind: 'portable', version: '1.2.3' })
  })

  it('that cannot be loaded says so', () => {
    expect(describePtyLibrary(world({ resolveOpen: refuse('node-pty cannot be loaded') }))).toEqual({
      kind: 'broken',
      message: 'node-pty cannot be loaded',
    })
  })
})

describe('a trial of a PTY', () => {
  it('works here', async () => {
    expect(await tryPty()).toEqual({ kind: 'works', ttyPath: expect.stringMatching(/^\/dev\//) })
  })

  it('fails with the reason when the library cannot be used', async () => {
    expect(await tryPty({ resolveOpen: refuse('no library') })).toEqual({ kind: 'failed', message: 'no library' })
  })

  it('fails with the look at the device when none is given', async () => {
    const trial = await tryPty({ resolveOpen: () => refuse('posix_openpt failed') })
    expect(trial).toMatchObject({ kind: 'failed', message: expect.stringMatching(/posix_openpt failed.*ulimit -u/s) })
  })

  it('fails when the program prints nothing', async () => {
    const silent: OpenPty = (_, { handleExit }) => {
      setImmediate(() => handleExit({ kind: 'code', code: 0 }))
      return { pid: 1, ttyPath: undefined, pause() {}, resume() {}, write: () => 0, resize() {}, close() {} }
    }
    const trial = await tryPty({ resolveOpen: () => silent })
    expect(trial).toMatchObject({ kind: 'failed', message: expect.stringMatching(/printed nothing/) })
  })
})
