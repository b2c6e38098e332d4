import { spawnSync } from 'node:child_process'
import { ACTIONS } from './actions/index.mjs'

/** Programs that actions need and that this machine lacks. */
export function findMissing() {
  const needed = new Set(ACTIONS.flatMap(({ needs }) => (needs === undefined ? [] : [needs])))
  return new Set([...needed].filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0))
}
