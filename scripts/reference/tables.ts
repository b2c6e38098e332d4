/** Schemas, lists of codes and other lists as Markdown tables. */
import { z } from 'zod'

/** The part of JSON Schema that zod writes for our schemas. */
export interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

export function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
}

export function renderConfig({ properties = {} }: JsonSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    shorten(renderType(schema)),
    schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``,
    schema.description ?? '',
  ])
  return renderTable(['Key', 'Type', 'Default', 'Meaning'], rows)
}

/** Shapes that do not fit a cell are told where they are explained. */
const shorten = (type: string) => (type.length <= 200 ? type : 'object')

export function renderCodes(codes: Readonly<Record<string, string>>): string {
  return renderTable(
    ['Code', 'Meaning'],
    Object.entries(codes).map(([code, meaning]) => [`\`${code}\``, meaning]),
  )
}

/** `{ kind: "exited", exitCode: integer }`, `"a" \| "b"`, `integer, 1 to 10`. */
export function renderType(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((each) => `\`${JSON.stringify(each)}\``).join(' or ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) return alternatives.map(renderType).join(' or ')
  if (schema.type === 'array') return `array of ${renderType(schema.items ?? {})}`
  if (schema.type === 'object') return renderObject(schema)
  return `${schema.type ?? 'anything'}${renderBounds(schema)}`
}

function renderObject({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${renderType(schema)}`,
  )
  return `{ ${fields.join(', ')} }`
}

function renderBounds({ minimum, maximum, maxLength }: JsonSchema): string {
  if (maxLength !== undefined) return `, at most ${maxLength} long`
  const isBounded = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (isBounded(minimum)) return isBounded(maximum) ? `, ${minimum} to ${maximum}` : `, at least ${minimum}`
  return ''
}

export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const renderRow = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [renderRow(head), renderRow(head.map(() => '---')), ...rows.map(renderRow)].join('\n')
}
