/** One prompt: the guidance that the mounted plugins contribute. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ErrorCode, GetPromptRequestSchema, ListPromptsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { GUIDANCE_PROMPT, renderGuidance } from '../core/guidance.js'
import { RpcError } from '../errors.js'
import type { Host } from '../host.js'

export function handlePrompts(server: Server, host: Host): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: host.tools.guidance().length > 0 ? [{ ...GUIDANCE_PROMPT }] : [],
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name } }) => {
    const sections = host.tools.guidance()
    if (name !== GUIDANCE_PROMPT.name || sections.length === 0) {
      throw new RpcError(ErrorCode.InvalidParams, `Unknown prompt: ${name}. prompts/list names those there are.`)
    }
    return {
      description: GUIDANCE_PROMPT.description,
      messages: [{ role: 'user', content: { type: 'text', text: renderGuidance(sections) } }],
    }
  })
}
