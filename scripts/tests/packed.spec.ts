import { describe, expect, it } from 'vitest'
import { findOwnErrors } from '../packed/consumer.mjs'
import { findProblems } from '../packed/pack.mjs'

describe('a packed manifest', () => {
  const manifest = {
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
    bin: { tool: 'bin/tool.js' },
    dependencies: { a: '0.1.0' },
    peerDependencies: { b: '^4.0.4' },
  }
  const files = ['LICENSE', 'package.json', 'dist/index.d.ts', 'dist/index.js', 'bin/tool.js'].map(
    (path) => `package/${path}`,
  )

  it('that names what is there has no problems', () => {
    expect(findProblems(manifest, files)).toEqual([])
  })

  it('with ranges of the workspace or its catalog is refused', () => {
    expect(
      findProblems({ ...manifest, dependencies: { a: 'workspace:*' }, peerDependencies: { b: 'catalog:' } }, files),
    ).toEqual(['dependencies.a is still workspace:*', 'peerDependencies.b is still catalog:'])
  })

  it('that names files which were not packed is refused', () => {
    expect(findProblems(manifest, ['package/LICENSE', 'package/dist/index.d.ts', 'package/package.json'])).toEqual([
      'package/dist/index.js is not in the tarball',
      'package/bin/tool.js is not in the tarball',
    ])
  })

  it('without a licence is refused', () => {
    expect(findProblems(manifest, files.slice(1))).toEqual(['no licence in the tarball'])
  })
})

describe('errors of the compiler', () => {
  it('are ours in the consumer, in our declarations, and in its options; not in those of others', () => {
    const ours = [
      "types-node16/consumer.ts(3,1): error TS2578: Unused '@ts-expect-error' directive.",
      'node_modules/@agent-terminals/tools/dist/index.d.ts(1,1): error TS2307: Cannot find module.\n  Details.',
      'node_modules/agent-terminals/dist/index.d.ts(1,1): error TS2307: Cannot find module.',
      'error TS5023: Unknown compiler option.',
    ]
    const others = 'node_modules/ai/dist/index.d.ts(3414,39): error TS2344: Type.\n  Details.'
    expect(findOwnErrors([others, ...ours, others].join('\n'))).toEqual(ours)
  })
})
