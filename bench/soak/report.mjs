/** What a run has to say at its end. */

export function renderReport({ ledger, stocks, memory, waves, seed, elapsedMs, kills, missing }) {
  const rows = [...ledger.actions].sort(([one], [other]) => one.localeCompare(other))
  const width = Math.max(...rows.map(([kind]) => kind.length), 6)
  const steps = rows.reduce((sum, [, { count }]) => sum + count, 0)
  return [
    '',
    `${steps} steps in ${waves} waves, ${(elapsedMs / 1_000).toFixed(0)} s, seed ${seed}`,
    ...(missing.size > 0 ? [`left out, program missing: ${[...missing].join(', ')}`] : []),
    '',
    `${'action'.padEnd(width)}  ${'times'.padStart(6)}  ${'mean'.padStart(8)}  ${'worst'.padStart(8)}`,
    ...rows.map(
      ([kind, { count, totalMs, worstMs }]) =>
        `${kind.padEnd(width)}  ${String(count).padStart(6)}  ${ms(totalMs / count)}  ${ms(worstMs)}`,
    ),
    '',
    `hosts killed hard: ${kills.length}${kills.length > 0 ? `, clean after ${Math.max(...kills.map(({ elapsedMs: each }) => each)).toFixed(0)} ms at the latest` : ''}`,
    `descriptors after each wave: ${series(stocks.map(({ census }) => census.descriptors))}`,
    `heap in MiB: ${series(stocks.map(({ heapMiB }) => heapMiB.toFixed(1)))}`,
    `resident memory in MiB: ${series(stocks.map(({ rssMiB }) => rssMiB.toFixed(0)))}`,
    ...memory.map(({ text }) => text),
    ...[...ledger.warnings].map(([text, count]) => `warned ${count} ×: ${text}`),
    '',
    ...ledger.breaks.flatMap(renderBreak),
    ledger.breaks.length === 0
      ? 'everything held'
      : `${ledger.breaks.length} promise(s) broken; the same plan again: npm run soak -- --seed ${seed}`,
  ].join('\n')
}

function renderBreak({ what, wave, agent, step, trail = [] }) {
  const place = wave === undefined ? '' : ` (wave ${wave}${agent === undefined ? '' : `, agent ${agent}`})`
  return [
    `BROKEN${place}: ${what}`,
    ...(step === undefined ? [] : [`  step ${JSON.stringify(step)}`]),
    ...trail.map((entry) => `  ${JSON.stringify(entry)}`),
    '',
  ]
}

const ms = (value) => `${value.toFixed(0)} ms`.padStart(8)
/** All of a short series; of a long one its beginning, middle and end. */
function series(values) {
  if (values.length <= 24) return values.join(' ')
  return [
    ...values.slice(0, 8),
    '…',
    ...values.slice(values.length / 2 - 4, values.length / 2 + 4),
    '…',
    ...values.slice(-8),
  ].join(' ')
}
