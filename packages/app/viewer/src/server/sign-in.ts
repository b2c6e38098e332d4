/** `/session`: a link becomes a token, once; and a token is said to be good or not. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AhpService, fullBucket, type RateLimit, takeToken } from '@agent-terminals/ahp/host'
import { z } from 'zod'
import { SIGN_IN_REFUSALS, type SignInRefusal } from './errors.js'
import type { LinkBook } from './links.js'
import { respond, respondJson, respondText } from './respond.js'

export interface SignInParts {
  readonly ahp: Pick<AhpService, 'token' | 'admit' | 'isOriginAllowed'>
  readonly links: LinkBook
  readonly triesPerMinute: number
  /** Epoch milliseconds. */
  readonly now: () => number
}

const MAX_BODY_BYTES = 1_024
const bodySchema = z.strictObject({ link: z.string().min(1).max(256) })

type Body = { readonly kind: 'read'; readonly text: string } | { readonly kind: 'too-large' }

/** @throws the stream's error when the sender breaks off. */
async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) return { kind: 'too-large' }
    chunks.push(chunk)
  }
  return { kind: 'read', text: Buffer.concat(chunks).toString() }
}

function parseBody(text: string): z.output<typeof bodySchema> | undefined {
  try {
    return bodySchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? '')
}

function refuse(response: ServerResponse, code: SignInRefusal, headers: Readonly<Record<string, string>> = {}): void {
  const { status, message } = SIGN_IN_REFUSALS[code]
  respondJson(response, status, { code, message }, headers)
}

export function createSignIn({ ahp, links, triesPerMinute, now }: SignInParts) {
  const limit: RateLimit = { perSecond: triesPerMinute / 60, burst: triesPerMinute }
  let bucket = fullBucket(limit, now())
  const mayTry = (): boolean => {
    const taken = takeToken(bucket, now(), limit)
    bucket = taken.bucket
    return taken.isGranted
  }

  const signIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!ahp.isOriginAllowed(request)) return refuse(response, 'ORIGIN_REFUSED')
    if (!isJson(request.headers['content-type'])) return refuse(response, 'TYPE_UNSUPPORTED')
    if (!mayTry()) return refuse(response, 'TOO_MANY_TRIES', { 'retry-after': '60' })
    const body = await readBody(request)
    if (body.kind === 'too-large') return refuse(response, 'BODY_TOO_LARGE', { connection: 'close' })
    const parsed = parseBody(body.text)
    if (!parsed) return refuse(response, 'BODY_INVALID')
    const redeemed = links.redeem(parsed.link)
    if (redeemed === 'accepted') respondJson(response, 200, { token: ahp.token })
    else refuse(response, redeemed === 'used' ? 'LINK_USED' : 'LINK_UNKNOWN')
  }

  const check = (request: IncomingMessage, response: ServerResponse): void => {
    const admission = ahp.admit(request)
    if (admission.kind === 'admitted') respond(response, { status: 204 })
    else refuse(response, admission.status === 403 ? 'ORIGIN_REFUSED' : 'TOKEN_INVALID')
  }

  return {
    /** Never rejects: a sender that breaks off gets no answer. */
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      if (request.method === 'GET') check(request, response)
      else if (request.method === 'POST') await signIn(request, response).catch(() => response.destroy())
      else respondText(response, 405, 'GET or POST', { allow: 'GET, POST' })
    },
  }
}
