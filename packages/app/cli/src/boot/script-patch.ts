import { resolve } from 'node:path'
import type { PatchOptions } from '@deepseek-ai/cordis-plugin-include'

/** Replace the model of a composition by a script. Format: docs/scripts.md. */
export function patchScript(file: string | undefined): readonly PatchOptions[] {
  if (file === undefined) return []
  return [{ id: 'agent-loop', config: { model: { kind: 'script', path: resolve(file) } } }]
}
