/** What the doctor finds, as data: `doctor --json` prints one report. Fields are added within a version, never changed. */
import { z } from 'zod'

/** One thing the doctor looked at, and what it found. */
export const doctorCheck = z.object({
  /** Stable name of what was looked at, see docs/cli.md. */
  name: z.string(),
  /** `warn` costs something and is survivable; `fail` means that terminals cannot work, or that what was asked for was not done. */
  status: z.enum(['ok', 'warn', 'fail']),
  detail: z.string(),
  /** What it costs while it stays so, one sentence. */
  cost: z.string().optional(),
  /** One step to mend it. */
  advice: z.string().optional(),
  /** What to know about it all the same, one sentence each. */
  notes: z.array(z.string()).readonly().optional(),
})
export type Check = Readonly<z.infer<typeof doctorCheck>>

export const doctorReport = z.object({
  version: z.literal(1),
  /** Whether no check failed: the same as exit code 0. */
  ok: z.boolean(),
  /** In the order in which they were made. */
  checks: z.array(doctorCheck).readonly(),
  /** Processes of earlier runs whose host has gone. */
  leftovers: z
    .array(
      z.object({
        pid: z.int(),
        /** As the system tells it; together with the pid it names the process. */
        startTime: z.string(),
        command: z.string(),
        /** Whether this run has ended it. */
        ended: z.boolean(),
      }),
    )
    .readonly(),
})
export type DoctorReport = Readonly<z.infer<typeof doctorReport>>
export type ReportedLeftover = DoctorReport['leftovers'][number]

export function createReport(checks: readonly Check[], leftovers: readonly ReportedLeftover[]): DoctorReport {
  return { version: 1, ok: checks.every(({ status }) => status !== 'fail'), checks, leftovers }
}
