/** What must hold. A promise that is broken is an error of its own kind: everything else that goes wrong is a fault of the soak. */

export class BrokenPromise extends Error {
  name = 'BrokenPromise'
}

export function expectThat(isTrue, otherwise) {
  if (!isTrue) throw new BrokenPromise(otherwise)
}

export function expectEqual(what, actual, expected) {
  if (actual !== expected) throw new BrokenPromise(`${what}: ${String(actual)} instead of ${String(expected)}`)
}

/** Exactly these lines, in this order. */
export function expectLines(text, lines) {
  const actual = text.trimEnd().split('\n')
  if (actual.length === lines.length && lines.every((line, index) => line === actual[index])) return
  throw new BrokenPromise(
    `the output was ${JSON.stringify(clip(text))} instead of ${JSON.stringify(clip(lines.join('\n')))}`,
  )
}

const clip = (text) => (text.length <= 400 ? text : `${text.slice(0, 200)} … ${text.slice(-200)}`)
