/** What runs in the terminals, and how its output is judged. */

/** Lines that say when they were written, in nanoseconds of the wall clock. */
export function tickCommand(lines, everyMs) {
  const script = [
    'import sys, time',
    `for _ in range(${lines}):`,
    '    sys.stdout.write("@%d@\\n" % time.time_ns()); sys.stdout.flush()',
    `    time.sleep(${everyMs / 1000})`,
  ].join('\n')
  return `python3 -c '${script}'`
}

export const FLOOD_LINE = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(3)
export const FLOOD_END = 'END-OF-FLOOD'

/** So many millions of bytes as a terminal shows them, line ends included. */
export function floodCommand(megabytes) {
  const lines = floodLines(megabytes)
  return `yes ${FLOOD_LINE} | head -n ${lines}; echo END-OF-"FLOOD"`
}

export function floodLines(megabytes) {
  return Math.floor((megabytes * 1e6) / (FLOOD_LINE.length + 2))
}

const now = () => performance.timeOrigin + performance.now()

/** Collects how old the stamped lines are when they arrive. */
export class Lag {
  #rest = ''
  #lags = []

  get lines() {
    return this.#lags.length
  }

  take(text) {
    const at = now()
    this.#rest += text
    this.#rest = this.#rest.replace(/@(\d{16,})@\r?\n/g, (_, stamp) => {
      this.#lags.push(at - Number(stamp) / 1e6)
      return ''
    })
  }

  report() {
    const sorted = this.#lags.sort((a, b) => a - b)
    const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
    return { lines: sorted.length, p50: at(0.5), p95: at(0.95) }
  }
}
