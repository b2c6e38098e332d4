import { z } from 'zod'

const ms = (fallback: number) => z.int().min(0).max(86_400_000).default(fallback)
const count = (fallback: number) => z.int().min(1).max(1_000_000).default(fallback)
const units = (fallback: number) =>
  z
    .int()
    .min(1_024)
    .max(1 << 30)
    .default(fallback)
const token = z.string().min(16, 'use at least 16 characters, or leave it out to have one made')

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Configuration of the AHP host. Unknown fields are refused at load. Defaults as sheet §10 and §13 propose. */
export const Config = z
  .strictObject({
    /** Whether to listen for WebSocket connections. Without it only in-process transports are served. */
    listen: z.boolean().default(true),
    /** Address to listen on. Beyond loopback it takes `tls` or `allowInsecureHost`. */
    host: z.string().min(1).default('127.0.0.1'),
    /** 0 takes a free one. */
    port: z.int().min(0).max(65_535).default(0),
    /** What a client must present. Everybody who has it is one principal. Made anew at each start when left out. */
    token: token.optional(),
    /** Further tokens, each a principal of its own. */
    principals: z.record(z.string().min(1), token).default({}),
    /** Origins of web pages that may connect, besides the server's own. */
    allowedOrigins: z.array(z.string().min(1)).default([]),
    /** Names in the `Host` header that are accepted, besides the configured host, loopback names and plain addresses. */
    allowedHosts: z.array(z.string().min(1)).default([]),
    /** Serve over TLS with this certificate and key, as PEM files. */
    tls: z.strictObject({ certFile: z.string().min(1), keyFile: z.string().min(1) }).optional(),
    /** Listen beyond loopback without TLS: a token and everything typed cross the network in the clear. */
    allowInsecureHost: z.boolean().default(false),

    /** `off`: the host has no terminals of its own to give; `createTerminal` is an unknown method. */
    createTerminals: z.enum(['allowed', 'forbidden', 'off']).default('allowed'),
    /** Backend of terminals that clients create. */
    backend: z.string().min(1).default('shell'),
    /** Directory of new terminals when the client names none. */
    defaultDirectory: z.string().min(1).default('.'),
    /** Directories in which clients may start terminals. Empty: anywhere. */
    allowedRoots: z.array(z.string().min(1)).default([]),
    /** Whether a client may create a terminal, or give its own, to a session that it names. */
    foreignSessions: z.enum(['opaque', 'refused']).default('opaque'),

    /** Which clients other than the holder may type, resize and clear. `open`: all, and take the claim too. */
    gate: z.enum(['client', 'principal', 'open']).default('principal'),
    /** Whether clients may type while a tool call uses the terminal. */
    sharedInput: z.boolean().default(false),
    /** Who sees the echo of what a client typed. */
    inputEcho: z.enum(['all', 'originator']).default('all'),
    /** How long a client may be gone before others may take what it holds. */
    abandonedAfterMs: ms(60_000),

    /** Longest deliberate delay of output, for subscribers that ask for none themselves. */
    batchMs: ms(8),
    /** Output that goes out before its time because so much is waiting, in UTF-16 units. */
    batchUnits: units(16_384),
    /** Retained output of a terminal, in UTF-16 units. Trimmed to 80 % beyond it. */
    scrollbackUnits: units(1 << 20),
    /** Actions kept for clients that come back after a break. */
    replayEntries: count(1_000),
    /** UTF-16 units of those. */
    replayUnits: units(8 << 20),

    /** Connections at the same time; further ones are refused. */
    maxConnections: count(256),
    /** Channels that one connection may follow. */
    maxSubscriptions: count(256),
    /** Terminals, whoever made them, at which clients may start no more. */
    maxTerminals: count(64),
    /** Longest message a client may send, in bytes. */
    maxFrameBytes: units(8 << 20),
    /** Longest input of one action, in UTF-16 units. */
    maxInputUnits: units(65_536),
    /** Messages a connection may send per second. */
    messagesPerSecond: count(2_000),
    /** Messages it may send at once. */
    messageBurst: count(4_000),
    /** Unreadable messages in a row after which a connection is closed. */
    maxMalformed: count(16),
    /** Bytes on their way to a client beyond which output is held and merged. */
    sendHighWaterBytes: units(1 << 20),
    /** Held output beyond which the client is disconnected. It comes back to a snapshot. */
    maxHeldUnits: units(8 << 20),
    /** Client ids remembered for reconnection. */
    maxClients: count(4_096),
  })
  .prefault({})
  .check((context) => {
    const { value } = context
    if (!value.listen || isLoopback(value.host) || value.tls || value.allowInsecureHost) return
    context.issues.push({
      code: 'custom',
      path: ['host'],
      input: value.host,
      message: `${value.host} is not a loopback address. Give tls, or set allowInsecureHost to send tokens and input in the clear`,
    })
  })
export type Config = z.output<typeof Config>
