/** Parameters of the requests and notifications a terminal host knows. Sheet §5 and §7. */
import { z } from 'zod'
import { AhpError } from './errors.js'
import { withoutNulls } from './frames.js'
import { uriSchema } from './shapes.js'

const clientId = z.string().min(1).max(1_024)
const sequence = z.int().nonnegative()

export const implementationSchema = z.object({
  name: z.string(),
  version: z.string().exactOptional(),
  title: z.string().exactOptional(),
})
export type Implementation = Readonly<z.output<typeof implementationSchema>>

export const initializeSchema = z.object({
  channel: z.string(),
  protocolVersions: z.unknown().optional(),
  clientId,
  clientInfo: implementationSchema.exactOptional(),
  initialSubscriptions: z.array(uriSchema).max(10_000).exactOptional(),
})
export const reconnectSchema = z.object({
  channel: z.string(),
  clientId,
  lastSeenServerSeq: sequence,
  subscriptions: z.array(uriSchema).max(10_000),
})
export const subscribeSchema = z.object({
  channel: uriSchema,
  delivery: z.object({ maxLatencyMs: z.number().min(0).max(600_000).exactOptional() }).exactOptional(),
})
export const unsubscribeSchema = z.object({ channel: uriSchema })
/** Claim, size and directory are checked where their own refusals are worded. */
export const createTerminalSchema = z.object({
  channel: z.string(),
  claim: z.unknown().optional(),
  name: z.string().max(1_024).exactOptional(),
  cwd: z.string().max(8_192).exactOptional(),
  cols: z.unknown().optional(),
  rows: z.unknown().optional(),
})
export const disposeTerminalSchema = z.object({ channel: uriSchema })
export const dispatchActionSchema = z.object({
  channel: uriSchema,
  clientSeq: sequence,
  action: z.looseObject({ type: z.string() }),
})

export interface InitializeResult {
  readonly protocolVersion: string
  readonly serverSeq: number
  readonly snapshots: readonly unknown[]
  readonly serverInfo?: Implementation
  readonly defaultDirectory?: string
}

/**
 * Read parameters: unknown keys are dropped, `null` counts as absent.
 * @throws AhpError `InvalidParams` naming the field.
 */
export function parseParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(params))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const field = issue?.path.join('.') || 'params'
  throw AhpError.of('InvalidParams', `${field}: ${issue?.message ?? 'invalid'}`)
}
