/** `docs/tools.md`, rendered from the code: what a model may call, what it gets, and what a program can branch on. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import type { z } from 'zod'
import { JOB_ERRORS } from '../packages/host/jobs/src/errors.js'
import { RESULT_CODES } from '../packages/host/tools/src/errors.js'
import { TERMINAL_ERRORS } from '../packages/terminal/terminal/src/errors.js'
import {
  Config,
  createGuidance,
  createTools,
  TOOL_TERMINAL_ERRORS,
  type Toolkit,
} from '../packages/terminal/tool-terminal/src/index.js'
import { type JsonSchema, jsonSchema, renderCodes, renderConfig, renderTable, renderType } from './reference/tables.js'

export const TOOL_DOCS_PATH = fileURLToPath(new URL('../docs/tools.md', import.meta.url))
const EVENT_TYPES_PATH = fileURLToPath(new URL('../packages/terminal/terminal/src/contract/events.ts', import.meta.url))

const INTRODUCTION = `# The terminal tools

Written by \`node scripts/generate-docs.mjs\`; a test fails when it differs from the code.

A model gets six tools from \`@agent-terminals/tool-terminal\`. Every result is one text: output, then facts in brackets, one per
line, only those that say more than the output does. The complete text stays within \`maxResultBytes\`. \`structured\` carries the
same as data.`

export function renderToolDocs(): string {
  const config = Config.parse({})
  return `${[
    INTRODUCTION,
    ...createTools(offlineToolkit(config)).map(({ name, description, input, output }) =>
      [
        `## \`${name}\``,
        description,
        `Parameters:\n\n${renderFields(jsonSchema(input))}`,
        ...(output === undefined ? [] : [`Result:\n\n${renderFields(jsonSchema(output))}`]),
      ].join('\n\n'),
    ),
    renderFeatures(config),
    `## Error codes\n\nA failed call has \`isError\`, a \`code\` and a text that says what to do next.\n\nFrom the terminals and their tools:\n\n${renderCodes({ ...TERMINAL_ERRORS, ...TOOL_TERMINAL_ERRORS })}\n\nFrom the pipeline that every call goes through:\n\n${renderCodes(RESULT_CODES)}\n\nFrom the jobs of background sends:\n\n${renderCodes(JOB_ERRORS)}`,
    `## Configuration\n\n${renderConfig(jsonSchema(Config))}`,
    `## Events\n\nEmitted as \`terminal/event\` with the session id, in order per terminal.\n\n${renderEvents()}`,
    `## Guidance\n\nThis section is part of the system prompt while the plugin is mounted.\n\n${createGuidance(config).text}`,
  ].join('\n\n')}\n`
}

const FEATURES = ['screen', 'keys', 'search', 'resize'] as const

/** What each feature of the configuration adds to the tools above. */
function renderFeatures(config: Toolkit['config']): string {
  const base = createTools(offlineToolkit(config))
  const parts = FEATURES.map((feature) => {
    const features = { ...config.features, [feature]: true }
    const tools = createTools(offlineToolkit({ ...config, features }))
    const added = tools.flatMap((tool) => {
      const old = base.find(({ name }) => name === tool.name)
      const parameters = renderAdded(tool.input, old?.input)
      const result = tool.output === undefined ? undefined : renderAdded(tool.output, old?.output)
      return [
        old === undefined ? `A seventh tool, \`${tool.name}\`: ${tool.description}` : undefined,
        parameters && `\`${tool.name}\`, parameters:\n\n${parameters}`,
        result && `\`${tool.name}\`, result:\n\n${result}`,
      ].filter((part) => part !== undefined)
    })
    return [`### \`${feature}\``, ...added].join('\n\n')
  })
  const introduction =
    'A deployment can add to the tools with `features` in the configuration of `tool-terminal`; `screen` also needs `features.screen` of ' +
    '`terminal-bash`. See [screen.md](screen.md).'
  return ['## Features', introduction, ...parts].join('\n\n')
}

/** Fields that are new or have changed. */
function renderAdded(schema: z.ZodType, old: z.ZodType | undefined): string | undefined {
  const { properties = {}, required = [] } = jsonSchema(schema)
  const before = old === undefined ? {} : (jsonSchema(old).properties ?? {})
  const added = Object.entries(properties).filter(
    ([name, each]) => JSON.stringify(each) !== JSON.stringify(before[name]),
  )
  return added.length === 0 ? undefined : renderFields({ properties: Object.fromEntries(added), required })
}

/** Definitions need services only when they are called. */
function offlineToolkit(config: Toolkit['config']): Toolkit {
  const refuse = () => {
    throw new Error('the documentation calls no tool')
  }
  return {
    config,
    get terminals() {
      return refuse()
    },
    now: refuse,
    findJobs: refuse,
    onTerminalEvent: refuse,
  }
}

function renderFields({ properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\`${required.includes(name) ? '' : '?'}`,
    renderType(schema),
    schema.description ?? '',
  ])
  return rows.length === 0 ? 'None.' : renderTable(['Field', 'Type', 'Meaning'], rows)
}

/** Events exist as types only: their declaration is read. */
function renderEvents(): string {
  const source = ts.createSourceFile(
    EVENT_TYPES_PATH,
    readFileSync(EVENT_TYPES_PATH, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const rows = ['TerminalEvent', 'BackendEvent'].flatMap((name) =>
    membersOf(source, name).map((member) => {
      const fields = member.members.filter(ts.isPropertySignature).map((field) => ({
        name: field.name.getText(source),
        type: field.type?.getText(source).replaceAll(/\s+/g, ' ') ?? '',
      }))
      const kind = fields.find((field) => field.name === 'type')?.type.slice(1, -1) ?? ''
      const rest = fields.filter((field) => field.name !== 'type').map((field) => `\`${field.name}: ${field.type}\``)
      return [`\`${kind}\``, rest.join(', ')]
    }),
  )
  return renderTable(['Event', 'Data'], rows)
}

function membersOf(source: ts.SourceFile, alias: string): readonly ts.TypeLiteralNode[] {
  const declaration = source.statements.find(
    (each): each is ts.TypeAliasDeclaration => ts.isTypeAliasDeclaration(each) && each.name.text === alias,
  )
  if (declaration === undefined || !ts.isUnionTypeNode(declaration.type)) {
    throw new Error(`${'contract/events.ts'} has no union ${alias}`)
  }
  return declaration.type.types.filter(ts.isTypeLiteralNode)
}
