import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listPackages } from '../packages.mjs'
import { checkVersion, dateChangelog } from '../release.mjs'

describe('the changelog', () => {
  it('gets a dated section from what was unreleased', () => {
    expect(
      dateChangelog('# C\n\n## Unreleased\n\n- new\n\n## 0.1.0 (2026-01-01)\n\n- old\n', '0.2.0', '2026-02-02'),
    ).toBe('# C\n\n## Unreleased\n\n## 0.2.0 (2026-02-02)\n\n- new\n\n## 0.1.0 (2026-01-01)\n\n- old\n')
  })

  it('gets its first one', () => {
    expect(dateChangelog('# C\n\n## Unreleased\n\n- new\n', '0.1.0', '2026-02-02')).toBe(
      '# C\n\n## Unreleased\n\n## 0.1.0 (2026-02-02)\n\n- new\n',
    )
  })

  it('refuses a release that says nothing', () => {
    expect(() => dateChangelog('# C\n\n## Unreleased\n\n## 0.1.0\n', '0.2.0', 'd')).toThrow(/says nothing/)
    expect(() => dateChangelog('# C\n', '0.2.0', 'd')).toThrow(/no section/)
  })

  it('of this project can be released', () => {
    const text = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
    expect(dateChangelog(text, '99.0.0', '2099-01-01')).toContain('## 99.0.0 (2099-01-01)')
  })
})

describe('a version', () => {
  it.each(['0.1.1', '0.2.0', '1.0.0'])('%s comes after 0.1.0', (version) => {
    expect(() => checkVersion(version, '0.1.0')).not.toThrow()
  })

  it.each(['0.1.0', '0.0.9', '1', 'v0.2.0', '0.2.0-beta', undefined])('%s is refused after 0.1.0', (version) => {
    expect(() => checkVersion(version, '0.1.0')).toThrow()
  })

  it('is the same in every public package', () => {
    const versions = listPackages()
      .filter(({ manifest }) => !manifest.private)
      .map(({ manifest }) => manifest.version)
    expect(new Set(versions).size).toBe(1)
  })
})
