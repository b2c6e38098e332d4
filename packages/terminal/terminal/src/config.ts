import { z } from 'zod'

const waitMs = (fallback: number) => z.int().min(1).max(600_000).default(fallback)

/** Terminal dimensions that a program can be told about (`struct winsize` holds 16 bits; beyond 1,000 nothing useful exists). */
export const MAX_COLUMNS = 1_000
export const MAX_ROWS = 1_000

/** Configuration of `ctx.terminals`. Unknown fields are refused at load. */
export const Config = z
  .strictObject({
    /** Running terminals, starts under way included, that one owner may have. */
    maxSessionsPerOwner: z.int().min(1).max(1_000).default(32),
    /** Starts under way at the same time for one owner. */
    maxPendingSpawnsPerOwner: z.int().min(1).max(1_000).default(8),
    /** Ended terminals kept readable for one owner; the one that ended first goes first. */
    maxEndedPerOwner: z.int().min(1).max(1_000).default(16),
    /** Characters (code points) of a display name. */
    maxNameLength: z.int().min(1).max(256).default(64),
    /** How long an ended terminal stays readable when nobody closes it. */
    endedRetentionMs: z.int().min(0).max(86_400_000).default(600_000),
    /** How long an aborted start may take to come back before the caller is answered without it. It stays tracked. */
    abortWaitMs: waitMs(10_000),
    /** How long a cancelled send may take to settle before a close goes on without it. */
    cancelWaitMs: waitMs(5_000),
    /** How long one attempt to close may take before it counts as failed. */
    closeTimeoutMs: waitMs(30_000),
    /** Columns of a terminal whose request names no size. */
    columns: z.int().min(1).max(MAX_COLUMNS).default(120),
    /** Rows of such a terminal. */
    rows: z.int().min(1).max(MAX_ROWS).default(30),
  })
  .prefault({})
export type Config = z.output<typeof Config>
