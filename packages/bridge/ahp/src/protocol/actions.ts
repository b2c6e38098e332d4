/** Actions and their envelopes. Sheet §8. */
import { z } from 'zod'
import { chatlessClaimSchema, claimSchema, dimensionSchema, type TerminalClaim, type TerminalInfo } from './shapes.js'

export type TerminalAction =
  | { readonly type: 'terminal/data'; readonly data: string }
  | { readonly type: 'terminal/input'; readonly data: string }
  | { readonly type: 'terminal/resized'; readonly cols: number; readonly rows: number }
  | { readonly type: 'terminal/claimed'; readonly claim: TerminalClaim }
  | { readonly type: 'terminal/titleChanged'; readonly title: string }
  | { readonly type: 'terminal/cwdChanged'; readonly cwd: string }
  | { readonly type: 'terminal/exited'; readonly exitCode?: number }
  | { readonly type: 'terminal/cleared' }
  | { readonly type: 'terminal/commandDetectionAvailable' }
  | {
      readonly type: 'terminal/commandExecuted'
      readonly commandId: string
      readonly commandLine: string
      readonly timestamp: number
    }
  | {
      readonly type: 'terminal/commandFinished'
      readonly commandId: string
      readonly exitCode?: number
      readonly durationMs?: number
    }

export type RootAction =
  | { readonly type: 'root/terminalsChanged'; readonly terminals: readonly TerminalInfo[] }
  | { readonly type: 'root/agentsChanged'; readonly agents: readonly unknown[] }
  | { readonly type: 'root/activeSessionsChanged'; readonly activeSessions: number }
  | {
      readonly type: 'root/configChanged'
      readonly config: Readonly<Record<string, unknown>>
      readonly replace?: boolean
    }

export type Action = TerminalAction | RootAction

export interface Origin {
  readonly clientId: string
  readonly clientSeq: number
}

/** One change of one channel. `origin` is present exactly when a client asked for it, `rejectionReason` when it was refused. */
export interface ActionEnvelope<Kind = Action> {
  readonly channel: string
  readonly action: Kind
  readonly serverSeq: number
  readonly origin?: Origin
  readonly rejectionReason?: string
}

/** An action as it came, before its payload is known to be sound. */
export type RawAction = Readonly<Record<string, unknown>> & { readonly type: string }

/** Longest title a client may set, in UTF-16 units. */
export const MAX_TITLE_LENGTH = 1_024

/** The payloads that clients may dispatch to a terminal. A claim without `chat` is told apart: only the host can complete it. */
export const clientTerminalActionSchemas = {
  'terminal/input': z.object({ type: z.literal('terminal/input'), data: z.string() }),
  'terminal/resized': z.object({ type: z.literal('terminal/resized'), cols: dimensionSchema, rows: dimensionSchema }),
  'terminal/claimed': z.object({
    type: z.literal('terminal/claimed'),
    claim: z.union([claimSchema, chatlessClaimSchema]),
  }),
  'terminal/titleChanged': z.object({
    type: z.literal('terminal/titleChanged'),
    title: z.string().max(MAX_TITLE_LENGTH),
  }),
  'terminal/cleared': z.object({ type: z.literal('terminal/cleared') }),
} as const
export type ClientTerminalActionType = keyof typeof clientTerminalActionSchemas

export const configChangedSchema = z.object({
  type: z.literal('root/configChanged'),
  config: z.record(z.string(), z.unknown()),
  replace: z.boolean().exactOptional(),
})

export function isClientTerminalAction(type: string): type is ClientTerminalActionType {
  return Object.hasOwn(clientTerminalActionSchemas, type)
}

/** Actions by a client that leave a state which a refusal must put right for peers that ignore refusals (sheet §8.2). */
export const CORRECTED_ACTIONS: readonly string[] = [
  'terminal/claimed',
  'terminal/titleChanged',
  'terminal/resized',
] satisfies readonly ClientTerminalActionType[]
