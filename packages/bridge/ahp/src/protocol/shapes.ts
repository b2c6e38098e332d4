/** States as 1.0.0 has them; also the one internal model. Sheet §6. Unknown keys are kept out, unknown kinds are not read here. */
import { z } from 'zod'

export const uriSchema = z.string().min(1).max(4_096)
const identifier = z.string().min(1).max(1_024)

export const clientClaimSchema = z.object({ kind: z.literal('client'), clientId: identifier })
export const sessionClaimSchema = z.object({
  kind: z.literal('session'),
  session: uriSchema,
  chat: uriSchema,
  turnId: identifier.exactOptional(),
  toolCallId: identifier.exactOptional(),
})
/** A session claim as clients from before 0.9 write it. */
export const chatlessClaimSchema = sessionClaimSchema.omit({ chat: true })
export const claimSchema = z.discriminatedUnion('kind', [clientClaimSchema, sessionClaimSchema])

export const lifecycleSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('running') }),
  z.object({ status: z.literal('exited'), exitCode: z.int().exactOptional() }),
])

export const unclassifiedPartSchema = z.object({ type: z.literal('unclassified'), value: z.string() })
export const commandPartSchema = z.object({
  type: z.literal('command'),
  commandId: identifier,
  commandLine: z.string(),
  output: z.string(),
  /** Unix ms, host clock, start of execution. */
  timestamp: z.int(),
  isComplete: z.boolean(),
  exitCode: z.int().exactOptional(),
  durationMs: z.int().nonnegative().exactOptional(),
})
export const contentPartSchema = z.discriminatedUnion('type', [unclassifiedPartSchema, commandPartSchema])

export const MAX_WIRE_SIZE = 65_535
export const dimensionSchema = z.int().min(1).max(MAX_WIRE_SIZE)

export const terminalStateSchema = z.object({
  title: z.string(),
  content: z.array(contentPartSchema),
  lifecycle: lifecycleSchema,
  claim: claimSchema,
  /** `file:` URI of the current directory. */
  cwd: z.string().exactOptional(),
  cols: z.int().exactOptional(),
  rows: z.int().exactOptional(),
  supportsCommandDetection: z.boolean().exactOptional(),
  /** Absent means `true`. */
  isPty: z.boolean().exactOptional(),
})

export const terminalInfoSchema = z.object({
  resource: uriSchema,
  title: z.string(),
  claim: claimSchema,
  lifecycle: lifecycleSchema,
})

export type ClientClaim = Readonly<z.output<typeof clientClaimSchema>>
export type SessionClaim = Readonly<z.output<typeof sessionClaimSchema>>
/** Who holds the keyboard. On a client it may hold a kind of a later version: keep a default branch. */
export type TerminalClaim = ClientClaim | SessionClaim
export type UnclassifiedPart = Readonly<z.output<typeof unclassifiedPartSchema>>
export type CommandPart = Readonly<z.output<typeof commandPartSchema>>
export type ContentPart = UnclassifiedPart | CommandPart
export interface TerminalState extends Readonly<Omit<z.output<typeof terminalStateSchema>, 'content'>> {
  readonly content: readonly ContentPart[]
}
export type TerminalInfo = Readonly<z.output<typeof terminalInfoSchema>>

export interface RootState {
  readonly agents: readonly unknown[]
  readonly activeSessions?: number
  readonly terminals?: readonly TerminalInfo[]
  readonly config?: { readonly schema?: unknown; readonly values: Readonly<Record<string, unknown>> }
  readonly _meta?: unknown
}

/** What a subscriber starts from: the effect of every action up to `fromSeq` is in `state`. */
export interface Snapshot {
  readonly resource: string
  readonly state: TerminalState | RootState
  readonly fromSeq: number
}

/** Whether a claim is a session's that a tool call uses right now. */
export function isInToolCall(claim: TerminalClaim): boolean {
  return claim.kind === 'session' && (claim.turnId !== undefined || claim.toolCallId !== undefined)
}

/** A session's claim outside any tool call: what a terminal is given back to, or detached to. */
export function withoutCall({ kind, session, chat }: SessionClaim): SessionClaim {
  return { kind, session, chat }
}

export function isSameClaim(left: TerminalClaim, right: TerminalClaim): boolean {
  if (left.kind === 'client') return right.kind === 'client' && left.clientId === right.clientId
  return (
    right.kind === 'session' &&
    left.session === right.session &&
    left.chat === right.chat &&
    left.turnId === right.turnId &&
    left.toolCallId === right.toolCallId
  )
}
