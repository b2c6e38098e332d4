/** Whether a path is a directory or lies in it. Both absolute. */
export function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`)
}
