/** What a model reads about jobs: the output, then short bracketed facts, within the job's own byte bound. Pure. */
import { clipHead, clipWithSuffix, utf8Length } from '@agent-terminals/text'
import type { JobActivity, JobOutput, JobStatus, JobSummary } from './contract.js'

const MAX_DETAIL_BYTES = 200
/** Digits assumed for a count when deciding whether its fact fits: the decision must not hang on the count itself. */
const NOMINAL_DIGITS = 10

interface Fact {
  readonly text: string
  readonly nominalBytes: number
}

/** One line without control characters, short. */
export function renderLine(text: string): string {
  return clipHead(text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim(), MAX_DETAIL_BYTES)
}

/** Facts about one read, as many as half of the room takes. The job and its status always stay. */
export function renderFacts(
  summary: JobSummary,
  counts: { readonly droppedBytes: number; readonly unreadBytes: number },
): string {
  const optional = [
    ...countFact(counts.droppedBytes, (count) => `[${count} bytes of older output dropped, nobody read them in time]`),
    ...activityFact(summary.activity),
    ...countFact(counts.unreadBytes, (count) => `[${count} bytes more: call job_output again]`),
  ]
  const facts = [`[job ${summary.id}: ${summary.status}]`]
  let bytes = utf8Length(facts.join(''))
  for (const fact of optional) {
    bytes += 1 + fact.nominalBytes
    if (bytes > summary.outputLimitBytes / 2) break
    facts.push(fact.text)
  }
  return facts.join('\n')
}

function countFact(count: number, render: (count: string) => string): readonly Fact[] {
  if (count === 0) return []
  return [{ text: render(String(count)), nominalBytes: utf8Length(render('9'.repeat(NOMINAL_DIGITS))) }]
}

function activityFact(activity: JobActivity | undefined): readonly Fact[] {
  const news = renderActivity(activity)
  if (news === undefined) return []
  const text = `[${news}]`
  return [{ text, nominalBytes: utf8Length(text) }]
}

/** @returns nothing where the job's status says it all. */
export function renderActivity(activity: JobActivity | undefined): string | undefined {
  if (!activity) return undefined
  const { kind, detail } = activity
  const line = renderLine(detail)
  if (line === '') return kind === 'working' ? undefined : kind
  return `${kind}: ${line}`
}

/** Bytes of output that fit beside the facts of a read. */
export function roomForOutput(
  summary: JobSummary,
  counts: { readonly droppedBytes: number; readonly unreadBytes: number },
): number {
  return summary.outputLimitBytes - utf8Length(`\n${renderFacts(summary, counts)}`)
}

/** The whole text of one read, never longer than the job's `outputLimitBytes`. */
export function renderJobOutput(output: JobOutput): string {
  return joinFacts(output.text, renderFacts(output.summary, output))
}

/** What a request to stop has come to: the job's last word, how it stands, and what to do when it has not ended. */
export function renderKilled(summary: JobSummary): string {
  const facts = [`[job ${summary.id}: ${summary.status}]`]
  if (summary.status === 'stopping') facts.push('[not ended yet: job_output with wait, or job_kill again]')
  return joinFacts(summary.ending ?? '', facts.join('\n'))
}

function joinFacts(body: string, facts: string): string {
  return body === '' || body.endsWith('\n') ? body + facts : `${body}\n${facts}`
}

export interface Notice {
  readonly id: string
  readonly title: string
  readonly status: JobStatus
  readonly text: string
  readonly unreadBytes: number
}

/** The notice that a job has ended: which one and how, its final text shortened, and where the rest is. */
export function renderSettledNotice(notice: Notice, maxBytes: number): string {
  const head = `[job ${notice.id}: ${notice.status}]`
  const title = notice.title === '' ? '' : ` ${notice.title}`
  const rest = notice.unreadBytes > 0 ? `\n[${notice.unreadBytes} bytes unread: job_output reads them]` : ''
  const body = notice.text === '' ? title : `${title}\n${notice.text.trimEnd()}`
  const room = maxBytes - utf8Length(head)
  return head + clipWithSuffix(body, utf8Length(rest) <= room / 2 ? rest : '', room).text
}

export function renderWaitingNotice(id: string, detail: string, maxBytes: number): string {
  return clipHead(`[job ${id}: waiting] ${renderLine(detail)}`.trimEnd(), maxBytes)
}

/** One job in one line. */
export function renderSummary(summary: JobSummary, now: number): string {
  const { id, status, startedAt, endedAt, activity } = summary
  const seconds = Math.max(0, Math.round(((endedAt ?? now) - startedAt) / 1000))
  const facts = [status, `${seconds} s`, renderActivity(activity)].filter((fact) => fact !== undefined)
  return `${id} [${facts.join('] [')}] ${renderLine(summary.title)}`.trimEnd()
}

export interface RenderedJobs {
  readonly text: string
  /** How many jobs, from the first, are in the text. */
  readonly shown: number
}

/**
 * Jobs one per line. A list longer than the bound, or than the largest `outputLimitBytes` among its jobs, keeps id and status of
 * as many as fit, and counts the others.
 */
export function renderList(summaries: readonly JobSummary[], now: number, maxResultBytes: number): RenderedJobs {
  if (summaries.length === 0) return { text: '[no jobs]', shown: 0 }
  const maxBytes = Math.min(maxResultBytes, Math.max(...summaries.map(({ outputLimitBytes }) => outputLimitBytes)))
  const whole = summaries.map((summary) => renderSummary(summary, now)).join('\n')
  if (utf8Length(whole) <= maxBytes) return { text: whole, shown: summaries.length }
  const short = summaries.map(({ id, status }) => `${id} [${status}] …`)
  if (utf8Length(short.join('\n')) <= maxBytes) return { text: short.join('\n'), shown: short.length }
  const more = (shown: number) => `[${summaries.length - shown} more not shown]`
  let used = utf8Length(more(0))
  const kept = short.slice(
    0,
    short.findIndex((line) => {
      used += utf8Length(line) + 1
      return used > maxBytes
    }),
  )
  return { text: [...kept, more(kept.length)].join('\n'), shown: kept.length }
}
