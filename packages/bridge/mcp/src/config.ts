import type { SandboxMode } from '@agent-terminals/sandbox/contract'
import { z } from 'zod'
import { isLoopback } from './core/http-guard.js'

const SANDBOX_MODES = ['read-only', 'workspace-write', 'danger-full-access'] as const satisfies readonly SandboxMode[]

const milliseconds = (fallback: number) => z.int().min(0).max(86_400_000).default(fallback)
const bytes = (minimum: number, fallback: number) => z.int().min(minimum).max(1_073_741_824).default(fallback)

/** What every connection has in common, whatever carries it. */
export const connectionFields = {
  /** Sandbox mode of every connection's agent. Default: that of the composition. */
  sandbox: z.enum(SANDBOX_MODES).optional(),
  /** Where agents work, whatever a client's roots say. Default: the client's first root, else the working directory. */
  root: z.string().min(1).optional(),
  /** How long a client may take to tell its roots. */
  rootsTimeoutMs: milliseconds(5000),
  /** Shortest time between two progress notifications of a call. */
  progressIntervalMs: milliseconds(100),
  /** Longest text of one progress notification. */
  progressMessageBytes: bytes(256, 4096),
  /** Most text in all progress notifications of a call. Afterwards they only tell that it runs. */
  progressTotalBytes: bytes(256, 1_048_576),
  /** Time after which a silent call tells that it still runs, so that clients do not give it up. 0 never does. */
  heartbeatMs: milliseconds(10_000),
  /** Shortest time between two `updated` notifications of a resource, or two `list_changed`. */
  resourceIntervalMs: milliseconds(500),
  /** Longest text of a resource. */
  maxResourceBytes: bytes(1024, 262_144),
  /** Longest message a client may send. */
  maxMessageBytes: bytes(1024, 4_194_304),
}

/** Of one connection over stdio. */
export const ConnectionConfig = z.strictObject(connectionFields).prefault({})
export type ConnectionConfig = z.output<typeof ConnectionConfig>

/** Of the HTTP endpoint. */
export const HttpConfig = z
  .strictObject({
    ...connectionFields,
    /** Address to listen on. Others than loopback need `allowRemote`. */
    host: z.string().min(1).default('127.0.0.1'),
    /** 0 takes a free one. */
    port: z.int().min(0).max(65_535).default(0),
    path: z
      .string()
      .regex(/^\/[\w./-]*$/, 'must be a plain path that starts with /')
      .default('/mcp'),
    /** Bearer token that clients send. Default: a random one, made at start. */
    token: z
      .string()
      .regex(/^[A-Za-z0-9._~+/-]{16,512}$/, 'must be 16 to 512 of A-Z a-z 0-9 . _ ~ + / -')
      .optional(),
    /** Values of the Origin header that are let in, for web pages. Default: none. */
    allowedOrigins: z.array(z.string().min(1)).default([]),
    /** More values of the Host header, when the server is known by another name. */
    allowedHosts: z.array(z.string().min(1)).default([]),
    /** Listen on an address that other machines can reach. The endpoint speaks plain HTTP: put TLS before it. */
    allowRemote: z.boolean().default(false),
    /** Time without any request or open stream after which a session ends, with its terminals. */
    idleSessionMs: z.int().min(100).max(604_800_000).default(1_800_000),
    maxSessions: z.int().min(1).max(10_000).default(32),
  })
  .check(({ value, issues }) => {
    if (isLoopback(value.host) || value.allowRemote) return
    issues.push({
      code: 'custom',
      input: value.host,
      path: ['host'],
      message: 'is not a loopback address; other machines could reach it. Set allowRemote if that is meant',
    })
  })
  .prefault({})
export type HttpConfig = z.output<typeof HttpConfig>
