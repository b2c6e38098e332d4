import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { Script } from './format.js'

/** A script file that cannot be used: the path, and what is wrong with it. */
export class ScriptFileError extends Error {
  override readonly name = 'ScriptFileError'
  readonly code = 'SCRIPT_INVALID'
}

/** @throws ScriptFileError */
export function loadScript(path: string): Script {
  const file = resolve(path)
  let input: unknown
  try {
    input = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ScriptFileError(`${file} cannot be read as JSON: ${(error as Error).message}`, { cause: error })
  }
  const parsed = Script.safeParse(input)
  if (parsed.success) return parsed.data
  throw new ScriptFileError(`${file} is not a script:\n${z.prettifyError(parsed.error)}`)
}
