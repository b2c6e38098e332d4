/** `docs/reference.md`, rendered from the code: configuration of every plugin, error codes, events of a session. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { CLI_ERRORS } from '../packages/app/cli/src/errors.js'
import { EMBED_ERRORS } from '../packages/app/embed/src/errors.js'
import { Config as viewerConfig } from '../packages/app/viewer/src/server/config.js'
import { VIEWER_ERRORS } from '../packages/app/viewer/src/server/errors.js'
import { Config as acpConfig } from '../packages/bridge/acp/src/config.js'
import { ACP_ERRORS } from '../packages/bridge/acp/src/errors.js'
import { Config as ahpConfig } from '../packages/bridge/ahp/src/host/config.js'
import { AHP_ERRORS } from '../packages/bridge/ahp/src/protocol/errors.js'
import { HttpConfig as mcpConfig } from '../packages/bridge/mcp/src/config.js'
import { MCP_ERRORS } from '../packages/bridge/mcp/src/errors.js'
import { Config as agentLoopConfig } from '../packages/host/agent-loop/src/config.js'
import { AGENT_ERRORS } from '../packages/host/agents/src/errors.js'
import { Config as jobsConfig } from '../packages/host/jobs/src/config.js'
import { JOB_ERRORS } from '../packages/host/jobs/src/errors.js'
import { SANDBOX_ERRORS } from '../packages/host/sandbox/src/errors.js'
import { Config as policyConfig } from '../packages/host/sandbox/src/policy/config.js'
import { Config as runnerConfig } from '../packages/host/sandbox/src/runner/index.js'
import { Config as subprocessConfig } from '../packages/host/subprocess/src/config.js'
import { SUBPROCESS_ERRORS } from '../packages/host/subprocess/src/errors.js'
import { Config as toolsConfig } from '../packages/host/tools/src/config.js'
import { RESULT_CODES, TOOL_ERRORS } from '../packages/host/tools/src/errors.js'
import { Config as terminalConfig } from '../packages/terminal/terminal/src/config.js'
import { TERMINAL_ERRORS } from '../packages/terminal/terminal/src/errors.js'
import { Config as bashConfig } from '../packages/terminal/terminal-bash/src/config.js'
import { Config as toolTerminalConfig } from '../packages/terminal/tool-terminal/src/config.js'
import { TOOL_TERMINAL_ERRORS } from '../packages/terminal/tool-terminal/src/errors.js'
import { readInterface, readPropertyComments } from './reference/declarations.js'
import { type JsonSchema, jsonSchema, renderCodes, renderConfig, renderTable } from './reference/tables.js'

const root = fileURLToPath(new URL('..', import.meta.url))
export const REFERENCE_PATH = join(root, 'docs/reference.md')

/** Plugins in the order of a composition: name in `cordis.yml`, source of the configuration, variables that hold its fields. */
const PLUGINS: readonly (readonly [
  plugin: string,
  source: string,
  config: z.ZodType,
  variables?: readonly string[],
])[] = [
  ['tools', 'host/tools/src/config.ts', toolsConfig],
  ['jobs', 'host/jobs/src/config.ts', jobsConfig],
  ['subprocess', 'host/subprocess/src/config.ts', subprocessConfig],
  ['sandbox/policy', 'host/sandbox/src/policy/config.ts', policyConfig],
  ['sandbox/runner', 'host/sandbox/src/runner/index.ts', runnerConfig],
  ['agent-loop', 'host/agent-loop/src/config.ts', agentLoopConfig],
  ['terminal', 'terminal/terminal/src/config.ts', terminalConfig],
  ['terminal-bash', 'terminal/terminal-bash/src/config.ts', bashConfig],
  ['tool-terminal', 'terminal/tool-terminal/src/config.ts', toolTerminalConfig],
  ['acp', 'bridge/acp/src/config.ts', acpConfig],
  ['ahp/host', 'bridge/ahp/src/host/config.ts', ahpConfig],
  ['mcp/http', 'bridge/mcp/src/config.ts', mcpConfig, ['HttpConfig', 'connectionFields']],
  ['viewer', 'app/viewer/src/server/config.ts', viewerConfig],
]

const CODES: readonly (readonly [from: string, codes: Readonly<Record<string, string>>])[] = [
  ['Terminals and their tools', { ...TERMINAL_ERRORS, ...TOOL_TERMINAL_ERRORS }],
  ['Results of any tool', RESULT_CODES],
  ['Registering tools', TOOL_ERRORS],
  ['Jobs', JOB_ERRORS],
  ['Agents', AGENT_ERRORS],
  ['Sandbox', SANDBOX_ERRORS],
  ['Processes', SUBPROCESS_ERRORS],
  ['ACP', ACP_ERRORS],
  ['AHP, as JSON-RPC codes', mapValues(AHP_ERRORS, String)],
  ['MCP', MCP_ERRORS],
  ['Viewer', VIEWER_ERRORS],
  ['Embedding', EMBED_ERRORS],
  ['Command line', CLI_ERRORS],
]

export function renderReference(): string {
  return `${[
    '# Reference',
    'Written by `node scripts/generate-docs.mjs`; a test fails when it differs from the code. The tools themselves, and the events of a ' +
      'terminal, are in [tools.md](tools.md).',
    '## Configuration',
    'What stands under `config` of an entry in `cordis.yml`. An unknown key, or a value out of bounds, fails at load and is named. ' +
      '`agents` and `headless` have nothing to configure.',
    ...PLUGINS.map(
      ([plugin, source, config, variables]) =>
        `### \`@agent-terminals/${plugin}\`\n\n${renderPlugin(source, config, variables)}`,
    ),
    '## Error codes',
    'Closed lists. A message says what happened and what to do next; the code is for programs.',
    ...CODES.map(([from, codes]) => `### ${from}\n\n${renderCodes(codes)}`),
    '## Events of a session',
    'The log of an agent, from which what the model saw can be rebuilt. Whoever writes an event declares it in its contract.',
    renderSessionEvents(),
  ].join('\n\n')}\n`
}

function renderPlugin(source: string, config: z.ZodType, variables: readonly string[] = ['Config']): string {
  const comments = readPropertyComments(join(root, 'packages', source))
  const commentOf = (path: string) =>
    [...variables.map((each) => `${each}.${path}`), path].flatMap((key) => comments.get(key) || [])[0]
  return renderConfig({ properties: Object.fromEntries(listFields(jsonSchema(config), '', commentOf)) })
}

/** Fields of nested objects have rows of their own. */
function listFields(
  { properties = {} }: JsonSchema,
  prefix: string,
  commentOf: (path: string) => string | undefined,
): readonly (readonly [string, JsonSchema])[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`
    const description = schema.description ?? commentOf(path) ?? ''
    const inner = listFields(schema, `${path}.`, commentOf)
    return inner.length > 0 ? inner : [[path, { ...schema, description }] as const]
  })
}

function renderSessionEvents(): string {
  const contracts = readdirSync(join(root, 'packages/host')).map((name) =>
    join(root, 'packages/host', name, 'src/contract.ts'),
  )
  const rows = contracts
    .flatMap(readSessionEvents)
    .map(({ name, type, comment }) => [`\`${name}\``, `\`${type}\``, comment])
  return renderTable(['Event', 'Data', 'Meaning'], rows)
}

function readSessionEvents(contract: string) {
  try {
    return readInterface(contract, 'SessionEventMap')
  } catch (error) {
    // A package without a contract.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
