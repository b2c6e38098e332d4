/** The six tools, in the order a terminal lives, and a seventh where a deployment has it. */
import type { ToolDefinition } from '@agent-terminals/tools/contract'
import { createCloseTool } from './close.js'
import { createListTool } from './list.js'
import { createOpenTool } from './open.js'
import { createReadTool } from './read.js'
import { createResizeTool } from './resize.js'
import { createSendTool } from './send.js'
import { createSignalTool } from './signal.js'
import type { Toolkit } from './toolkit.js'

export function createTools(kit: Toolkit): readonly ToolDefinition[] {
  return [
    createOpenTool(kit),
    createSendTool(kit),
    createReadTool(kit),
    createSignalTool(kit),
    createCloseTool(kit),
    createListTool(kit),
    ...(kit.config.features.resize ? [createResizeTool(kit)] : []),
  ]
}
