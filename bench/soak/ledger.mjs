/** What a run has counted, how long it took, and what broke. */

/** Beyond this many nothing new is learnt. */
const MOST_BREAKS = 20

export function createLedger() {
  const actions = new Map()
  const breaks = []
  const warnings = new Map()
  return {
    actions,
    breaks,
    warnings,
    count(kind, ms) {
      const entry = actions.get(kind) ?? { count: 0, totalMs: 0, worstMs: 0 }
      actions.set(kind, {
        count: entry.count + 1,
        totalMs: entry.totalMs + ms,
        worstMs: Math.max(entry.worstMs, ms),
      })
    },
    /** @param where - wave, agent and step, with the last calls of that agent. */
    break(what, where = {}) {
      if (breaks.length < MOST_BREAKS) breaks.push({ what, ...where })
    },
    /** A warning breaks nothing, but has to be seen. */
    warn(text) {
      warnings.set(text, (warnings.get(text) ?? 0) + 1)
    },
    get isOver() {
      return breaks.length >= MOST_BREAKS
    },
  }
}
