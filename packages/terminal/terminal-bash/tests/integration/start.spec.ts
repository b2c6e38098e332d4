import { useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNonce, NonceHandover, resolveShellStart } from '../../src/integration/index.js'
import { openShellHost, type ShellHost } from './open-shell.js'

useBaseline()

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (chunk: Uint8Array) => new TextDecoder().decode(chunk)
const REQUEST = '\x1b]6973;nonce?\x07'

describe('createNonce', () => {
  it('gives 128 bits, another each time', () => {
    expect(createNonce()).toMatch(/^[0-9a-f]{32}$/)
    expect(createNonce()).not.toBe(createNonce())
  })
})

describe('resolveShellStart', () => {
  it('puts no secret on the command line and removes what would change the shell', () => {
    const { argv, env } = resolveShellStart({ shell: '/bin/bash', loadUserRc: false })
    expect(argv).toEqual(['/bin/bash', '--noprofile', '--norc', '-i'])
    expect(env).toMatchObject({ HISTFILE: '', BASH_ENV: undefined, PS1: undefined, TMOUT: undefined })
  })
})

describe('NonceHandover', () => {
  it('answers the request once, however it is split, and passes everything else on', () => {
    const stream = `warning\x1b[0m\x1b]0;t\x07${REQUEST}after`
    for (let cut = 0; cut <= stream.length; cut++) {
      const handover = new NonceHandover('secret')
      const steps = [stream.slice(0, cut), stream.slice(cut), REQUEST].map((part) => handover.feed(bytes(part)))
      expect(steps.map((step) => text(step.output)).join('')).toBe(`warning\x1b[0m\x1b]0;t\x07after${REQUEST}`)
      expect(steps.flatMap((step) => step.reply ?? [])).toEqual(['secret\n'])
      expect(handover.isDone).toBe(true)
    }
  })

  it('holds back only what may become the request', () => {
    const handover = new NonceHandover('secret')
    expect(text(handover.feed(bytes('a\x1b]69')).output)).toBe('a')
    expect(text(handover.feed(bytes('x\x1b')).output)).toBe('\x1b]69x')
    expect(handover.isDone).toBe(false)
  })
})

describe('a first command', () => {
  let host: ShellHost
  beforeAll(async () => {
    host = await openShellHost()
  })
  afterAll(() => host.dispose())

  it('is never lost', async () => {
    for (let round = 0; round < 20; round++) {
      const shell = await host.open()
      expect((await shell.run('echo hello')).output).toBe('hello\n')
      await shell.close()
    }
  })

  it('finds job control on', async () => {
    const shell = await host.open()
    expect(shell.raw).not.toContain('job control')
    await shell.run('sleep 100 &')
    await shell.run('kill %1; wait')
    expect((await shell.run('jobs')).output).not.toContain('Running')
    await shell.close()
  })
})
