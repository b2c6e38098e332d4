import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether a path is a directory or lies in it. Both absolute. */
export function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`)
}

/** @returns the first executable file of the name on PATH. */
export function findOnPath(name: string, path = process.env.PATH ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
