import { describe, expect, it } from 'vitest'
import { loadBinding, recogniseBinding } from '../../src/terminal/binding.js'

const module = { fork() {}, resize() {} }

describe('the native binding', () => {
  it('is found in the pinned node-pty', () => {
    expect(loadBinding()).toBeDefined()
  })

  it('names the helper beside the binary', () => {
    expect(recogniseBinding({ dir: '../build', module }, '/x/node-pty/lib')?.helperPath).toBe(
      '/x/node-pty/build/spawn-helper',
    )
  })

  it('names the helper outside an Electron archive', () => {
    expect(recogniseBinding({ dir: '../build', module }, '/x/app.asar/node-pty/lib')?.helperPath).toBe(
      '/x/app.asar.unpacked/node-pty/build/spawn-helper',
    )
  })

  it.each([
    ['nothing', undefined],
    ['no directory', { module }],
    ['no module', { dir: '..' }],
    ['a module without fork', { dir: '..', module: { resize() {} } }],
    ['a module without resize', { dir: '..', module: { fork() {} } }],
  ])('is refused when the loader answers %s', (_, loaded) => {
    expect(recogniseBinding(loaded, '/x')).toBeUndefined()
  })
})
