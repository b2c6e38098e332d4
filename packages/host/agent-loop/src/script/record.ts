/** Write down a session as a script that replays it. Pure. */
import type { SessionEvent } from '@agent-terminals/agents/contract'
import type { ToolResult } from '@agent-terminals/tools/contract'
import type { ScriptInput } from './format.js'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type PromptInput = Mutable<NonNullable<ScriptInput['prompts'][number]>>
type CallInput = NonNullable<PromptInput['steps']>[number]['calls'][number]

/** Ids that an earlier result gave become references to it, so that the replay finds its own. */
function referTo(args: unknown, given: ReadonlyMap<string, string>): unknown {
  if (typeof args === 'string') return given.get(args) ?? args
  if (Array.isArray(args)) return args.map((item) => referTo(item, given))
  if (typeof args !== 'object' || args === null) return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, referTo(value, given)]))
}

/** @returns a script with one entry per prompt in the log. Events before the first prompt are left out. */
export function recordScript(events: readonly SessionEvent[]): ScriptInput {
  const prompts: PromptInput[] = []
  const given = new Map<string, string>()
  const names = new Map<string, string>()
  let said = ''
  for (const event of events) {
    const prompt = prompts.at(-1)
    if (event.type === 'message/user') {
      prompts.push({ steps: [], reply: '' })
      said = ''
    } else if (!prompt) {
    } else if (event.type === 'message/agent') {
      said = (event as SessionEvent<'message/agent'>).data.text
      prompt.reply = said
    } else if (event.type === 'tool/call') {
      const { callId, tool, args } = (event as SessionEvent<'tool/call'>).data
      const as = `call${names.size + 1}`
      names.set(callId, as)
      const call: CallInput = { tool, args: referTo(args, given) as Record<string, unknown>, as }
      prompt.steps = [...(prompt.steps ?? []), { text: said, calls: [call] }]
      prompt.reply = ''
      said = ''
    } else if (event.type === 'tool/result') {
      const { callId, result } = (event as SessionEvent<'tool/result'>).data
      rememberIds(given, names.get(callId), result)
    }
  }
  if (prompts.length === 0) prompts.push({})
  return { prompts }
}

function rememberIds(given: Map<string, string>, name: string | undefined, result: ToolResult): void {
  if (!name) return
  for (const [field, value] of Object.entries(result.structured ?? {})) {
    // Only ids: they are minted anew in every run. Other strings may be equal by chance.
    if (/Id$/.test(field) && typeof value === 'string') given.set(value, `\${${name}.${field}}`)
  }
}
