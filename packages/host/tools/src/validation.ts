/** From what a caller passed to arguments a tool can rely on. */
import { z } from 'zod'
import type { ToolDefinition } from './contract.js'
import { renderIssues } from './core/issues.js'
import { freezeDeeply } from './core/json.js'
import { ToolError } from './errors.js'

/** The schemas of one tool, prepared once. */
export interface ToolSchemas {
  /** The input, refusing unknown keys. */
  readonly strictInput: z.ZodObject
  /** JSON Schema, draft 2020-12. */
  readonly input: Readonly<Record<string, unknown>>
  readonly output: Readonly<Record<string, unknown>> | undefined
}

export type Validation =
  | { readonly ok: true; readonly args: unknown }
  | { readonly ok: false; readonly problems: string }

/** @throws ToolError `SCHEMA_INVALID` so that a bad schema fails when its plugin loads. */
export function prepareSchemas(definition: ToolDefinition): ToolSchemas {
  const { name, input, output } = definition
  if (!(input instanceof z.ZodObject)) {
    throw new ToolError('SCHEMA_INVALID', `The input of tool ${name} must be a zod object.`)
  }
  const strictInput = input.strict()
  return {
    strictInput,
    input: toJsonSchema(name, 'input', strictInput),
    output: output && toJsonSchema(name, 'output', output),
  }
}

function toJsonSchema(tool: string, io: 'input' | 'output', schema: z.ZodType): Readonly<Record<string, unknown>> {
  try {
    return freezeDeeply({ ...z.toJSONSchema(schema, { io }) })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ToolError('SCHEMA_INVALID', `The ${io} of tool ${tool} cannot be written as JSON Schema: ${reason}`, {
      cause,
    })
  }
}

/**
 * Check arguments against the strict schema. Valid ones come back as a deep-frozen copy: neither the caller nor a hook
 * can change them behind the check. Never rejects: a check that throws is a problem with the arguments.
 */
export async function validateArguments(schemas: ToolSchemas, args: unknown): Promise<Validation> {
  const copied = copyArguments(args)
  if (!copied.ok) return copied
  try {
    return toValidation(schemas, copied.args, await schemas.strictInput.safeParseAsync(copied.args))
  } catch (error) {
    return { ok: false, problems: `- arguments: could not be checked (${describeError(error)})` }
  }
}

/** The same where nobody can wait. Schemas with asynchronous checks throw. */
export function validateArgumentsNow(schemas: ToolSchemas, args: unknown): Validation {
  const copied = copyArguments(args)
  return copied.ok ? toValidation(schemas, copied.args, schemas.strictInput.safeParse(copied.args)) : copied
}

function copyArguments(args: unknown): Validation {
  try {
    return { ok: true, args: structuredClone(args) }
  } catch (error) {
    return { ok: false, problems: `- arguments: not data (${describeError(error)})` }
  }
}

const describeError = (error: unknown) => (error instanceof Error ? error.message : String(error))

function toValidation(schemas: ToolSchemas, args: unknown, parsed: z.ZodSafeParseResult<unknown>): Validation {
  if (parsed.success) return { ok: true, args: freezeDeeply(parsed.data) }
  const parameters = Object.keys(schemas.strictInput.shape)
  return { ok: false, problems: renderIssues(parsed.error.issues, { args, parameters }) }
}

/** Whether structured data has the declared shape. @returns what is wrong, or nothing. */
export async function findShapeProblem(output: z.ZodType, structured: unknown): Promise<string | undefined> {
  try {
    const checked = await output.safeParseAsync(structured)
    return checked.success ? undefined : checked.error.message
  } catch (error) {
    return describeError(error)
  }
}
