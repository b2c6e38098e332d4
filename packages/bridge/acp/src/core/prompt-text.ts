/** What a person has written and attached, as text for a model. Sheet §8; ACP v1 "Content". */

export interface PromptBlock {
  readonly type: string
  readonly text?: string
  readonly uri?: string | null
  readonly name?: string
  readonly resource?: { readonly uri?: string; readonly text?: string }
}

export type PromptText =
  | { readonly ok: true; readonly text: string }
  /** A kind of content that the agent has not announced. */
  | { readonly ok: false; readonly type: string }

export function renderPrompt(blocks: readonly PromptBlock[]): PromptText {
  const parts: string[] = []
  for (const block of blocks) {
    const part = renderBlock(block)
    if (part === undefined) return { ok: false, type: block.type }
    parts.push(part)
  }
  return { ok: true, text: parts.join('\n') }
}

function renderBlock(block: PromptBlock): string | undefined {
  if (block.type === 'text') return block.text ?? ''
  if (block.type === 'resource_link') return `[${block.name ?? 'resource'}](${block.uri ?? ''})`
  if (block.type === 'resource' && block.resource?.text !== undefined) {
    return `<resource uri=${JSON.stringify(block.resource.uri ?? '')}>\n${block.resource.text}\n</resource>`
  }
  return undefined
}
