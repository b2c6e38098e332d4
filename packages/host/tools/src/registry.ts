/** What is registered: tools, hooks, guidance. Plain lists with releases; who may hold them how long is the service's matter. */
import type { Guidance, ToolDefinition, ToolHooks } from './contract.js'
import { ToolError } from './errors.js'
import { prepareSchemas, type ToolSchemas } from './validation.js'

export interface RegisteredTool {
  readonly definition: ToolDefinition
  readonly schemas: ToolSchemas
}

/** What model providers accept as the name of a function. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/

export class ToolRegistry {
  private readonly tools = new Map<string, RegisteredTool>()
  private readonly guidanceSections = new Map<string, Guidance>()
  private readonly hookList = new Set<{ readonly hooks: ToolHooks }>()

  /** @throws ToolError `NAME_INVALID` | `DUPLICATE_TOOL` | `SCHEMA_INVALID`. @returns a release. */
  addTool(definition: ToolDefinition): () => void {
    const { name } = definition
    if (!TOOL_NAME.test(name)) {
      throw new ToolError('NAME_INVALID', `${JSON.stringify(name)} cannot name a tool. Use 1 to 64 of A-Z a-z 0-9 _ -.`)
    }
    if (this.tools.has(name)) {
      throw new ToolError('DUPLICATE_TOOL', `Tool ${name} is registered already. Mount the plugin that offers it once.`)
    }
    const tool = { definition, schemas: prepareSchemas(definition) }
    this.tools.set(name, tool)
    return () => {
      if (this.tools.get(name) === tool) this.tools.delete(name)
    }
  }

  addHooks(hooks: ToolHooks): () => void {
    const entry = { hooks }
    this.hookList.add(entry)
    return () => void this.hookList.delete(entry)
  }

  /** @throws ToolError `DUPLICATE_GUIDANCE`. @returns a release. */
  addGuidance(guidance: Guidance): () => void {
    if (this.guidanceSections.has(guidance.id)) {
      throw new ToolError('DUPLICATE_GUIDANCE', `Guidance ${guidance.id} is contributed already.`)
    }
    this.guidanceSections.set(guidance.id, guidance)
    return () => {
      if (this.guidanceSections.get(guidance.id) === guidance) this.guidanceSections.delete(guidance.id)
    }
  }

  find(name: string): RegisteredTool | undefined {
    return this.tools.get(name)
  }

  listTools(): readonly ToolDefinition[] {
    return [...this.tools.values()].map(({ definition }) => definition)
  }

  listNames(): readonly string[] {
    return [...this.tools.keys()]
  }

  listHooks(): readonly ToolHooks[] {
    return [...this.hookList].map(({ hooks }) => hooks)
  }

  listGuidance(): readonly Guidance[] {
    return [...this.guidanceSections.values()]
  }
}
