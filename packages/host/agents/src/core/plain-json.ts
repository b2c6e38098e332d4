/** Plain JSON values: what a session log holds, and what survives a round trip through text unchanged. */

export type PlainJson = null | boolean | number | string | readonly PlainJson[] | { readonly [key: string]: PlainJson }

/** Where and why a value is not plain JSON. */
export class NotPlainJson extends Error {
  override readonly name = 'NotPlainJson'

  constructor(path: readonly (string | number)[], problem: string) {
    super(`${path.length === 0 ? 'the value' : path.join('.')} ${problem}`)
  }
}

/**
 * A deep-frozen copy of the value. A property that is `undefined` is left out, as `JSON.stringify` does.
 * @throws NotPlainJson naming the path of the first value that JSON cannot hold.
 */
export function copyPlainJson(value: unknown): PlainJson {
  return copy(value, [], new Set())
}

function copy(value: unknown, path: readonly (string | number)[], ancestors: ReadonlySet<object>): PlainJson {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      if (!Number.isFinite(value)) throw new NotPlainJson(path, `is ${value}, which JSON cannot hold`)
      // JSON has no negative zero: the copy must equal what is read back.
      return value === 0 ? 0 : value
    case 'object':
      return value === null ? null : copyObject(value, path, ancestors)
    default:
      throw new NotPlainJson(path, `is of type ${typeof value}, which JSON cannot hold`)
  }
}

function copyObject(value: object, path: readonly (string | number)[], ancestors: ReadonlySet<object>): PlainJson {
  if (ancestors.has(value)) throw new NotPlainJson(path, 'contains itself')
  const inside = new Set(ancestors).add(value)
  if (Array.isArray(value)) {
    return Object.freeze(Array.from(value, (item: unknown, index) => copy(item, [...path, index], inside)))
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) {
    throw new NotPlainJson(path, 'is an instance of a class, not a plain object')
  }
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]): [string, PlainJson] => [key, copy(item, [...path, key], inside)])
  return Object.freeze(Object.fromEntries(entries))
}
