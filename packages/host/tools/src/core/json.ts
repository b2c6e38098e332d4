/** Values from anywhere, made fit for a log of plain JSON. */

const MAX_DEPTH = 100

/**
 * A JSON copy of any value. What JSON cannot hold is replaced by a string that says what it was, so that a log entry
 * never fails because of what a caller passed.
 */
export function describeAsJson(value: unknown): unknown {
  return describe(value, new Set(), 0)
}

function describe(value: unknown, ancestors: ReadonlySet<object>, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : `[${value}]`
    case 'object':
      return value === null ? null : describeObject(value, ancestors, depth)
    case 'undefined':
      return null
    case 'bigint':
      return value.toString()
    default:
      return `[${typeof value}]`
  }
}

function describeObject(value: object, ancestors: ReadonlySet<object>, depth: number): unknown {
  if (ancestors.has(value)) return '[circular]'
  if (depth >= MAX_DEPTH) return '[too deep]'
  const inside = new Set(ancestors).add(value)
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => describe(item, inside, depth + 1))
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString()
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, describe(item, inside, depth + 1)]),
  )
}

/** Freeze plain objects and lists throughout. Instances of classes keep their nature. */
export function freezeDeeply<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value
  Object.freeze(value)
  for (const item of Object.values(value)) freezeDeeply(item)
  return value
}
