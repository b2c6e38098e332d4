/** Runs the situations of `rows.mjs` through the public entrance and compares the verdicts with what a person would say. */
import { execFileSync } from 'node:child_process'
import { ROWS } from './rows.mjs'

/** Rows that cost seconds of waiting run beside each other; the others alone, since their latency is measured. */
const BESIDE = 6
const SLOW = /LATE|BUILT|DONE/

const isMissing = (program) => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return false
  } catch {
    return true
  }
}

const request = (step) => (typeof step === 'string' ? { text: step, submit: true } : { submit: true, ...step })

async function runRow(host, row) {
  const terminal = await host.open()
  try {
    for (const step of row.before ?? []) await terminal.start(request(step)).outcome
    let lastByteAt
    const send = terminal.start({
      ...request({ text: row.text, submit: row.submit ?? true, ...(row.keys ? { keys: row.keys } : {}) }),
      timeoutMs: row.timeoutMs ?? 20_000,
      onOutput: () => {
        lastByteAt = performance.now()
      },
    })
    const outcome = await send.outcome
    const at = performance.now()
    if (outcome.kind !== 'settled')
      throw new Error(`${row.name}: the send was ${outcome.kind}`, { cause: outcome.error })
    return judge(row, outcome.result, lastByteAt === undefined ? undefined : at - lastByteAt)
  } finally {
    await terminal.close()
  }
}

function judge(row, result, latencyMs) {
  const verdict = `${result.waitReason}/${result.state}`
  const wanted = row.reasons ?? [`${row.reason}/${row.state}`]
  const isOnScreen =
    row.onScreen === undefined || (result.screen?.rows.some((each) => each.includes(row.onScreen)) ?? false)
  const isShown = (row.shows === undefined || result.viewport.text.includes(row.shows)) && isOnScreen
  const claimsReady = result.waitReason === 'stdin_read' || result.waitReason === 'inferred_idle'
  const isWorking = wanted.every((each) => each.startsWith('timeout/'))
  return {
    row,
    verdict,
    wanted,
    isRight: wanted.includes(verdict) && isShown,
    // Ready was claimed although the program was still working, or had not shown what it was going to show.
    isFalse: claimsReady && (isWorking || !isShown),
    isExact: result.waitReason === 'stdin_read',
    latencyMs,
  }
}

/** @returns outcomes in the order of the rows, and the names of rows left out. */
export async function runCorpus(host, { only, corpus = ROWS } = {}) {
  const isLeftOut = (row) => row.needs !== undefined && isMissing(row.needs)
  const rows = corpus.filter((row) => only === undefined || only.test(row.name))
  const left = rows.filter(isLeftOut).map((row) => row.name)
  const present = rows.filter((row) => !left.includes(row.name))
  const isSlow = (row) => row.reason !== 'stdin_read' || SLOW.test(row.text ?? '')
  const outcomes = new Map()
  for (const row of present.filter((each) => !isSlow(each))) outcomes.set(row, await runRow(host, row))
  const slow = present.filter(isSlow)
  const work = async () => {
    for (let row = slow.shift(); row; row = slow.shift()) outcomes.set(row, await runRow(host, row))
  }
  await Promise.all(Array.from({ length: BESIDE }, work))
  return { outcomes: present.map((row) => outcomes.get(row)), left }
}
