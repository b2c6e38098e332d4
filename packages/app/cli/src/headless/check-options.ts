/** What can be known to be wrong with a run before anything of it has begun. */
import { closeSync, constants, lstatSync, openSync, rmSync } from 'node:fs'
import { CliError } from '../errors.js'

/** @throws CliError `OPTION_INVALID` for a prompt that says nothing. */
export function checkPrompts(prompts: readonly string[]): void {
  const empty = prompts.findIndex((prompt) => prompt.trim() === '')
  if (empty === -1) return
  const which = prompts.length === 1 ? 'The prompt' : `Prompt ${empty + 1} of ${prompts.length}`
  throw new CliError('OPTION_INVALID', `${which} is empty. Say what the agent is to do.`)
}

/**
 * Only opening tells for certain: a read-only file system and `/proc` refuse root as well. Leaves a file that is there as it is, and
 * none where there was none.
 * @throws CliError `OPTION_INVALID` when the file cannot be written.
 */
export function checkRecordFile(file: string): void {
  const isNew = lstatSync(file, { throwIfNoEntry: false }) === undefined
  try {
    // A pipe would wait for a reader.
    closeSync(openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK, 0o666))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(
      'OPTION_INVALID',
      `--record ${file} cannot be written: ${reason}. Name a file in an existing directory that can be written.`,
      { cause: error },
    )
  }
  if (isNew) rmSync(file)
}
