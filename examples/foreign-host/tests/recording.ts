/** Which members of an object are asked for, and whether they are there. */
export interface Recorder {
  /** The same object, whose reads are noted under the label. */
  record<Target extends object>(label: string, target: Target): Target
  readonly used: ReadonlySet<string>
  readonly missed: ReadonlySet<string>
  /** Members that exist in something recorded but were never asked for. */
  readonly unused: readonly string[]
}

/** What JavaScript itself looks for: whether something is a promise, how to print it. */
const LANGUAGE = new Set([
  'then',
  'constructor',
  'toJSON',
  'toString',
  'valueOf',
  'prototype',
  '$$typeof',
  'asymmetricMatch',
])

export function createRecorder(): Recorder {
  const used = new Set<string>()
  const missed = new Set<string>()
  const existing = new Set<string>()
  return {
    used,
    missed,
    get unused() {
      return [...existing].filter((member) => !used.has(member)).sort()
    },
    record(label, target) {
      for (const name of Object.keys(target)) existing.add(`${label}.${name}`)
      return new Proxy(target, {
        get(object, name) {
          const value: unknown = Reflect.get(object, name, object)
          if (typeof name !== 'string' || LANGUAGE.has(name)) return value
          const list = name in object ? used : missed
          list.add(`${label}.${name}`)
          return typeof value === 'function' ? value.bind(object) : value
        },
      })
    },
  }
}
