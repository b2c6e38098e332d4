/** Plugin: `ctx.viewer`, the web page on the port of the AHP host. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type {} from '@agent-terminals/ahp/host'
import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.js'
import type {} from './contract.js'
import { ViewerError } from './errors.js'
import { LinkBook } from './links.js'
import { readPageFiles } from './page-files.js'
import { respond, respondText } from './respond.js'
import { createSignIn } from './sign-in.js'

export { Config } from './config.js'
export type * from './contract.js'
export { SIGN_IN_REFUSALS, type SignInRefusal, VIEWER_ERRORS, ViewerError, type ViewerErrorCode } from './errors.js'

export const name = 'viewer'
export const inject = ['ahp']

function ownPageDirectory(): string {
  const manifest = createRequire(import.meta.url).resolve('@agent-terminals/viewer/package.json')
  return join(dirname(manifest), 'dist/page')
}

/** @throws ViewerError `NOT_LISTENING` | `PAGE_MISSING`. */
export function apply(ctx: Context, { pageDirectory, signInTriesPerMinute }: Config): void {
  const { ahp } = ctx
  if (ahp.url === undefined) {
    throw new ViewerError('NOT_LISTENING', 'The AHP host does not listen. Set listen: true in its configuration.')
  }
  const url = ahp.url.replace(/^ws/, 'http')
  const files = readPageFiles(pageDirectory ?? ownPageDirectory())
  const links = new LinkBook()
  const signIn = createSignIn({ ahp, links, triesPerMinute: signInTriesPerMinute, now: Date.now })

  const servePage = (path: string, { method }: IncomingMessage, response: ServerResponse): void => {
    const file = files.get(path)
    if (!file) respondText(response, 404, 'There is nothing here.')
    else if (method !== 'GET' && method !== 'HEAD') respondText(response, 405, 'GET or HEAD', { allow: 'GET, HEAD' })
    else respond(response, { status: 200, headers: { 'cache-control': file.cacheControl }, body: file })
  }

  const stop = ahp.onRequest((request, response) => {
    // Whatever stands before the question mark: not every request target is a URL.
    const [path = '/'] = (request.url ?? '/').split('?')
    if (path === '/session') void signIn.handle(request, response)
    else servePage(path, request, response)
    return true
  })
  ctx.effect(() => stop, 'viewer page')
  ctx.provide('viewer', { url, createLink: () => `${url}#link=${links.create()}` })
}
