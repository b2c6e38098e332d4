/** What of a call's arguments may be kept. A tool that cannot say keeps nothing. */
import type { Agent } from '@agent-terminals/agents/contract'
import { freezeDeeply } from '../core/json.js'
import type { RegisteredTool } from '../registry.js'

/** Arguments as they are logged and shown. */
export type KeptArguments =
  | { readonly kind: 'kept'; readonly args: unknown }
  /** Nothing is known that could be shown: the tool failed to say what is a secret. */
  | { readonly kind: 'withheld' }

/** What the log holds in place of withheld arguments. */
export const WITHHELD = '[withheld]'

/**
 * @param args - validated.
 * @param onError - told when the tool failed to answer.
 */
export async function concealArguments(
  tool: RegisteredTool,
  args: unknown,
  agent: Agent,
  onError: (error: unknown) => void,
): Promise<KeptArguments> {
  const { definition } = tool
  if (!definition.concealArguments) return { kind: 'kept', args }
  try {
    const concealed = await definition.concealArguments(args, agent)
    return { kind: 'kept', args: concealed === undefined ? args : freezeDeeply(structuredClone(concealed)) }
  } catch (error) {
    onError(error)
    return { kind: 'withheld' }
  }
}
