/** Chance that can be repeated: the same seed gives the same numbers, on every machine. */

/** FNV-1a over UTF-16 units. */
function hash(text) {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

/** @param {string} seed */
export function createRandom(seed) {
  let state = hash(seed)
  /** Mulberry32: uniform in [0, 1). */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** Whole number, both ends included. */
  const int = (least, most) => least + Math.floor(next() * (most - least + 1))
  return {
    int,
    chance: (share) => next() < share,
    pick: (list) => list[int(0, list.length - 1)],
    /** @param list - things with a `weight`. */
    pickWeighted(list) {
      let left = next() * list.reduce((sum, { weight }) => sum + weight, 0)
      for (const each of list) {
        left -= each.weight
        if (left < 0) return each
      }
      return list.at(-1)
    },
    /** A word that no program prints by itself. */
    word: () => `q${int(36 ** 6, 36 ** 7 - 1).toString(36)}`,
  }
}
