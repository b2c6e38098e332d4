/** Whether, and under which key, a connection may be sent terminal cards. Sheet §2: tested with `=== true`, decided once. */

export type OutputKey = 'terminal_output' | 'terminal_output_delta'

export type Gate = { readonly kind: 'cards'; readonly outputKey: OutputKey } | { readonly kind: 'text' }

/**
 * @param capabilities - `initialize.params.clientCapabilities`. Its own `terminal` speaks of terminals that the client runs,
 * and decides nothing here.
 */
export function resolveGate(capabilities: unknown): Gate {
  const meta = fieldOf(capabilities, '_meta')
  if (fieldOf(meta, 'terminal_output_delta') === true) return { kind: 'cards', outputKey: 'terminal_output_delta' }
  if (fieldOf(meta, 'terminal_output') === true) return { kind: 'cards', outputKey: 'terminal_output' }
  return { kind: 'text' }
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}
