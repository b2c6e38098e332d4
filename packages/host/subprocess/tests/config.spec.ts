import { readFileSync } from 'node:fs'
import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import * as plugin from '../src/index.js'

describe('configuration', () => {
  it('is complete without any input', () => {
    expect(plugin.Config.parse({})).toEqual({
      environment: { allow: [], deny: [] },
      maxHeldOutputBytes: 1_048_576,
      disposeGraceMs: 2_000,
    })
  })

  it.each([
    [{ environment: { allow: ['9BAD'] } }, 'environment.allow.0', 'name of an environment variable'],
    [{ environment: { allow: ['*'] } }, 'environment.allow.0', 'name of an environment variable'],
    [{ environment: { allow: ['AGENT_TERMINALS_TAG'] } }, 'environment.allow.0', 'never passed on'],
    [{ environment: { allow: ['A', 'B_KEY'], deny: ['B_*'] } }, 'environment.allow.1', 'no effect'],
    [{ environment: { deny: 'HOME' } }, 'environment.deny', 'array'],
    [{ environment: { permit: [] } }, 'environment', 'permit'],
    [{ maxHeldOutputBytes: 1 }, 'maxHeldOutputBytes', '65536'],
    [{ disposeGraceMs: -1 }, 'disposeGraceMs', '0'],
    [{ grace: 1 }, '', 'grace'],
  ])('refuses %j and names the field', (input, path, message) => {
    const { error } = plugin.Config.safeParse(input)
    expect(error?.issues[0]?.path.join('.')).toBe(path)
    expect(error?.issues[0]?.message).toContain(message)
  })

  it('is described in the README, field by field, with its defaults', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const rows = [...readme.matchAll(/^\| `([\w.]+)` +\| +(\S+) +\|/gm)].map(([, field, value]) => [
      field,
      JSON.parse((value ?? '').replaceAll('`', '')),
    ])
    const { environment, ...rest } = plugin.Config.parse({})
    const nested = Object.entries(environment).map(([field, value]) => [`environment.${field}`, value])
    expect(rows).toEqual([...nested, ...Object.entries(rest)])
  })

  it('fails the load of the plugin', async () => {
    const ctx = new Context()
    const load = async () => ctx.plugin(plugin, { environment: { allow: ['9BAD'] } } as never)
    await expect(load()).rejects.toThrow('environment')
    expect(ctx.get('subprocess')).toBeUndefined()
  })
})
