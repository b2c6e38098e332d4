/** `tools/list` and `tools/call`: the registry as it stands, one call at a time through its pipeline. */
import type { ToolDefinition, ToolResult, ToolsService } from '@agent-terminals/tools/contract'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { ConnectionConfig } from '../config.js'
import { renderCallResult, type StructuredFit } from '../core/call-result.js'
import { describeTool, hasObjectSchema, type McpTool } from '../core/tool.js'
import { RpcError } from '../errors.js'
import type { Host } from '../host.js'
import type { AgentHolder } from './agent.js'
import { createProgressReporter } from './progress.js'
import { createRootsQuestion, type RequestExtra } from './roots.js'

export interface ToolHandlerParts {
  readonly server: Server
  readonly host: Host
  readonly holder: AgentHolder
  readonly config: ConnectionConfig
}

export function handleTools({ server, host, holder, config }: ToolHandlerParts): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: host.tools.list().map((tool) => describe(host.tools, tool)),
  }))

  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const { name, arguments: args = {} } = request.params
    const tool = host.tools.get(name)
    if (!tool) throw new RpcError(ErrorCode.InvalidParams, `Unknown tool: ${name}. tools/list names those there are.`)
    const agent = await holder.demand(createRootsQuestion(server, extra, config))
    const reporter = openReporter(extra, config)
    try {
      const { result } = await host.tools.execute({
        agent,
        name,
        args,
        signal: extra.signal,
        ...(reporter ? { onProgress: ({ text }) => reporter.output(text) } : {}),
      })
      reporter?.finish()
      return renderCallResult(result, compareShape(host.tools, tool, result))
    } finally {
      reporter?.stop()
    }
  })
}

function describe(tools: ToolsService, { name, description, effects }: ToolDefinition): McpTool {
  return describeTool({
    name,
    description,
    inputSchema: tools.inputSchema(name),
    outputSchema: tools.outputSchema(name),
    effects,
  })
}

/** Progress is for clients that asked for it, by a token. */
function openReporter(extra: RequestExtra, config: ConnectionConfig) {
  const progressToken = extra._meta?.progressToken
  if (progressToken === undefined) return undefined
  return createProgressReporter({
    config,
    now: () => performance.now(),
    send: (progress, message) =>
      extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } }),
  })
}

function compareShape(tools: ToolsService, tool: ToolDefinition, { structured }: ToolResult): StructuredFit {
  // The tool may have gone while it ran; nothing is announced any more then.
  const announced = tools.get(tool.name) === tool ? tools.outputSchema(tool.name) : undefined
  if (!tool.output || !hasObjectSchema(announced)) return 'none-announced'
  return tool.output.safeParse(structured).success ? 'fits' : 'differs'
}
