import { z } from 'zod'

const count = () => z.number().int().positive()
const ms = () => z.number().int().nonnegative()
/** A timer of Node fires at once beyond this. */
const LONGEST_MS = 2_147_483_647
const span = () => z.number().int().positive().max(LONGEST_MS)

/** Configuration of the `shell` backend. Names and defaults of the seed where it gives them. */
export const Config = z
  .strictObject({
    /** Name or absolute path of the bash to start. */
    shell: z.string().min(1).default('bash'),
    /** Whether the user's own start files run before the first prompt. */
    loadUserRc: z.boolean().default(false),
    /** `TERM` of the programs. */
    terminalType: z
      .string()
      .regex(/^[\w.+-]+$/, 'expected a terminfo name')
      .default('xterm-256color'),
    /** Whether the viewport leaves out prompts and the echo of what was sent. Scrollback keeps both. */
    echo: z.enum(['omit', 'show']).default('omit'),

    scrollbackLines: count().default(10_000),
    scrollbackMaxBytes: count().default(4_194_304),
    /** Most UTF-8 bytes of one page of scrollback. */
    maxReadBytes: count().default(262_144),
    /** Most UTF-8 bytes of one send's output; the middle goes. */
    viewportMaxBytes: count().default(262_144),

    /** Longest pause between two looks at a waiting program; up to four times that when nothing has happened for long. */
    pollIntervalMs: count().max(10_000).default(50),
    /** How long after the input kernel evidence is trusted at the earliest. */
    exactProbeAfterMs: ms().max(LONGEST_MS).default(0),
    /** Silence, without evidence of work, after which a program counts as idle. */
    idleSilenceMs: span().default(3_000),
    /** Added to that silence after a prompt mark, for an exact attribution to win. */
    handoffGraceMs: ms().max(LONGEST_MS).default(500),
    /** Longest wait for a program that only redraws one line. */
    redrawPatienceMs: span().default(15_000),
    /** Longest wait of a send that does not ask for another. */
    timeoutMs: span().default(30_000),
    /** Longest wait that a send may ask for. */
    maxTimeoutMs: span().default(600_000),
    /** Longest wait for the first prompt. */
    startTimeoutMs: span().default(30_000),
    /** Time that a cancelled program gets after each signal of the ladder. */
    cancelGraceMs: span().default(1_000),
    /** Time between asking a terminal's programs to end and killing them. */
    disposeGraceMs: ms().max(LONGEST_MS).default(3_000),

    /** Beyond lines. Off unless a deployment asks for it; the tools have switches of their own. */
    features: z
      .strictObject({
        /** Keep a picture of the screen while a program draws one. Costs nothing until then. */
        screen: z.boolean().default(false),
      })
      .prefault({}),

    /** `off` leaves readiness to prompt marks and silence, as on a platform without evidence. */
    inspector: z.enum(['auto', 'off']).default('auto'),
    /** Log the facts and the verdict of every send. The environment variable `AGENT_TERMINALS_DEBUG` does the same. */
    debug: z.boolean().default(false),
  })
  .prefault({})
  .check((context) => {
    const { value } = context
    const refuse = (field: keyof typeof value, message: string) =>
      context.issues.push({ code: 'custom', path: [field], message, input: value[field] })
    if (value.handoffGraceMs < value.pollIntervalMs) {
      refuse(
        'handoffGraceMs',
        `must cover at least one look: ${value.handoffGraceMs} is below pollIntervalMs (${value.pollIntervalMs})`,
      )
    }
    if (value.timeoutMs > value.maxTimeoutMs) {
      refuse('timeoutMs', `must not exceed maxTimeoutMs: ${value.timeoutMs} is above ${value.maxTimeoutMs}`)
    }
    if (value.idleSilenceMs < value.pollIntervalMs) {
      refuse(
        'idleSilenceMs',
        `must cover at least one look: ${value.idleSilenceMs} is below pollIntervalMs (${value.pollIntervalMs})`,
      )
    }
    if (value.viewportMaxBytes < 64) refuse('viewportMaxBytes', 'must be at least 64')
    if (value.maxReadBytes < 64) refuse('maxReadBytes', 'must be at least 64')
  })
export type Config = z.output<typeof Config>
