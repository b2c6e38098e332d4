/** The built page in memory: what is not in it cannot be asked for. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { ViewerError } from './errors.js'

export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array
  readonly cacheControl: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** The build puts a hash of its content into the name of everything in here. */
const HASHED = '/assets/'
const FOR_EVER = 'public, max-age=31536000, immutable'

function toPageFile(path: string, file: string): PageFile {
  return {
    type: TYPES[extname(file)] ?? 'application/octet-stream',
    bytes: readFileSync(file),
    cacheControl: path.startsWith(HASHED) ? FOR_EVER : 'no-store',
  }
}

/**
 * @returns the files of the page by the path of their address, `index.html` as `/`.
 * @throws ViewerError `PAGE_MISSING`.
 */
export function readPageFiles(directory: string): ReadonlyMap<string, PageFile> {
  if (!statSync(join(directory, 'index.html'), { throwIfNoEntry: false })?.isFile()) {
    throw new ViewerError('PAGE_MISSING', `There is no index.html in ${directory}. Build the page: npm run build.`)
  }
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name)
      const path = `/${relative(directory, file).split(sep).join('/')}`
      return [path === '/index.html' ? '/' : path, toPageFile(path, file)]
    }),
  )
}
