/** `${name.field}` in a script's arguments: fields of earlier structured results. Pure. */
import { TurnError } from '../errors.js'

const REFERENCE = /\$\{([A-Za-z][A-Za-z0-9_-]*)\.([A-Za-z][A-Za-z0-9_]*)\}/g

/**
 * Replace references in all strings of a value. A string that is one reference becomes the referenced value itself.
 * @param lookUp - structured result of the call with that name, if it has run.
 * @throws TurnError `SCRIPT_MISMATCH` for a name or field that is not there.
 */
export function resolveReferences(
  value: unknown,
  lookUp: (name: string) => Readonly<Record<string, unknown>> | undefined,
): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, lookUp))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveReferences(item, lookUp)]))
  }
  if (typeof value !== 'string') return value

  const find = (name: string, field: string): unknown => {
    const found = lookUp(name)?.[field]
    if (found === undefined) {
      throw new TurnError('SCRIPT_MISMATCH', `\${${name}.${field}} refers to nothing: no earlier call gave that.`)
    }
    return found
  }
  const whole = value.match(new RegExp(`^${REFERENCE.source}$`))
  if (whole?.[1] && whole[2]) return find(whole[1], whole[2])
  return value.replace(REFERENCE, (_, name: string, field: string) => String(find(name, field)))
}
