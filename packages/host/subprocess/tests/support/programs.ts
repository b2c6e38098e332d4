import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** Whether a program is on the path, for tests of how particular programs wait. */
export function hasProgram(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
