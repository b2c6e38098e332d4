import { expect, it } from 'vitest'
import { renderResults } from '../render.mjs'

it('a run becomes one table per benchmark', () => {
  const machine = { cpu: '2 × CPU', memoryGiB: 8, platform: 'linux 6 x64', node: 'v20.19.0' }
  const rows = [
    { case: 'fast | faster', unit: 'ms', ours: 1.234, floor: 100.4, ratio: 0.0123, target: '≤ 2 ms', pass: true },
    { case: 'slow', unit: 'ms', ours: 3, target: '≤ 2 ms', pass: false },
    { case: 'shown', ours: 3, target: '≤ 2', pass: undefined },
  ]
  const results = [{ name: 'read', date: '2026-11-29T23:22:45.944Z', load: '0.10 0.20 0.30', rows }]
  expect(renderResults({ machine, quick: false, results })).toBe(`2 × CPU (8 GiB), linux 6 x64, Node 20.19.0.

## Read

2026-11-29 23:22 UTC, load 0.10 0.20 0.30.

| | Case | Ours | Floor | Ratio | Target |
| --- | --- | --- | --- | --- | --- |
| met | fast \\| faster | 1.23 ms | 100 ms | 0.01 × | ≤ 2 ms |
| **missed** | slow | 3 ms |  |  | ≤ 2 ms |
| seen | shown | 3 |  |  | ≤ 2 |
`)
})
