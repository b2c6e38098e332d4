import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { Config } from '../src/config.js'
import { renderWaitLimit, resolveSendPolicy } from '../src/session/ready-policy.js'

const issuesOf = (input: unknown) => {
  const parsed = Config.safeParse(input)
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'))
}

describe('configuration', () => {
  it('is complete without any field', () => {
    expect(Config.parse(undefined)).toEqual(Config.parse({}))
  })

  it('takes the example of the seed unchanged in meaning', () => {
    const seed = {
      scrollbackLines: 10000,
      scrollbackMaxBytes: 4194304,
      maxReadBytes: 262144,
      pollIntervalMs: 50,
      exactProbeAfterMs: 150,
      idleSilenceMs: 3000,
      handoffGraceMs: 500,
      timeoutMs: 30000,
      disposeGraceMs: 3000,
    }
    expect(Config.parse(seed)).toMatchObject(seed)
    // Our evidence needs no delay; everything else is the seed's default.
    expect(Config.parse({})).toMatchObject({ ...seed, exactProbeAfterMs: 0 })
  })

  it.each([
    ['a grace shorter than one look', { pollIntervalMs: 100, handoffGraceMs: 99 }, ['handoffGraceMs']],
    ['silence shorter than one look', { pollIntervalMs: 100, idleSilenceMs: 50 }, ['idleSilenceMs']],
    ['a timeout above the longest one', { timeoutMs: 5_000, maxTimeoutMs: 4_000 }, ['timeoutMs']],
    ['an unknown field', { pollInterval: 3 }, ['']],
    ['a fraction', { timeoutMs: 1.5 }, ['timeoutMs']],
    ['a timer beyond what Node can set', { idleSilenceMs: 2 ** 31 }, ['idleSilenceMs']],
    ['a viewport that holds nothing', { viewportMaxBytes: 3 }, ['viewportMaxBytes']],
    ['a page that holds nothing', { maxReadBytes: 3 }, ['maxReadBytes']],
    ['a terminal type with an escape', { terminalType: 'x\x1b' }, ['terminalType']],
    ['a wrong echo', { echo: 'yes' }, ['echo']],
  ])('refuses %s, naming the field', (_name, input, fields) => {
    expect(issuesOf(input)).toEqual(fields)
  })

  it('fails the load of the plugin with the name of the field', async () => {
    const ctx = new Context()
    ctx.provide('terminals', {})
    ctx.provide('subprocess', {})
    ctx.provide('sandboxPolicy', {})
    const plugin = await import('../src/index.js')
    await expect(Promise.resolve(ctx.plugin(plugin, { ...Config.parse({}), timeoutMs: -1 }))).rejects.toThrow(
      /timeoutMs/,
    )
    await ctx.fiber.dispose()
  })

  it('bounds the wait that a send asks for', () => {
    const config = Config.parse({ timeoutMs: 100, maxTimeoutMs: 1_000 })
    const cheap = { isLookDear: false }
    expect(resolveSendPolicy(config, cheap, undefined).timeoutMs).toBe(100)
    expect(resolveSendPolicy(config, cheap, 500).timeoutMs).toBe(500)
    expect(resolveSendPolicy(config, cheap, 5_000).timeoutMs).toBe(1_000)
    expect(renderWaitLimit(config, 1_000)).toBeUndefined()
    expect(renderWaitLimit(config, 5_000)).toBe('Waited at most 1000 ms, the longest this deployment allows.')
  })
})
