import type { z } from 'zod'
import { CliError } from './errors.js'

/**
 * Options as the configuration of a plugin, in one line when they cannot be.
 * @param fields - by name of the configuration; those that are `undefined` were not given.
 * @throws CliError `OPTION_INVALID` naming each field.
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  fields: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  throw new CliError('OPTION_INVALID', `The options cannot be used: ${problems.join('; ')}.`)
}
