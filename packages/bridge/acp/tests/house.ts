/** The bridge over a real shell and a scripted model: every plugin as a deployment mounts it, without a sandbox. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agentLoop from '@agent-terminals/agent-loop'
import * as agents from '@agent-terminals/agents'
import * as jobs from '@agent-terminals/jobs'
import * as sandboxPolicy from '@agent-terminals/sandbox/policy'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import * as toolTerminal from '@agent-terminals/tool-terminal'
import * as tools from '@agent-terminals/tools'
import type { PromptResponse } from '@agentclientprotocol/sdk'
import { Context } from '@deepseek-ai/cordis'
import * as acp from '../src/index.js'
import { type ClientOptions, TestClient } from './client/test-client.js'
import { createPipe } from './pipe.js'

export const CARDS = { terminal_output: true } as const
export const DELTA = { terminal_output_delta: true } as const

type Args = Readonly<Record<string, unknown>>

/** One call of the scripted model. */
export interface Call {
  readonly tool: string
  readonly args: Args
  readonly as?: string
}

const OPEN: Call = { tool: 'terminal_open', args: { type: 'shell' }, as: 'shell' }

export const send = (text: string, more: Args = {}): Call => ({
  tool: 'terminal_send',
  args: { sessionId: '${shell.sessionId}', text, ...more },
})

export interface HouseOptions {
  /** Calls per prompt. The first prompt opens a shell before its own. */
  readonly prompts: readonly (readonly Call[])[]
  readonly config?: Args
  readonly toolConfig?: Args
  readonly loopConfig?: Args
}

export interface House {
  readonly root: Context
  readonly cwd: string
  connect(options?: ClientOptions): TestClient
  /** Bytes to the agent of the last connection. */
  write(text: string): Promise<void>
  /** End the client's side of the last connection, as a client that exits does. */
  hangUp(): Promise<void>
  /** Let the client of the last connection read no more. @returns a release. */
  pauseReading(): () => void
  dispose(): Promise<void>
}

const houses: House[] = []

/** End every house of the test that has just run. */
export async function disposeHouses(): Promise<void> {
  for (const house of houses.splice(0)) await house.dispose()
}

/** Disposed of by `disposeHouses`. */
export async function buildHouse(options: HouseOptions): Promise<House> {
  const root = new Context()
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'acp-')))
  const prompts = options.prompts.map((calls, index) => ({
    steps: [...(index === 0 ? [OPEN] : []), ...calls].map((call) => ({ calls: [call] })),
    reply: 'done',
  }))
  await root.plugin(agents, {})
  await root.plugin(tools, tools.Config.parse({}))
  await root.plugin(jobs, jobs.Config.parse({}))
  await root.plugin(sandboxPolicy, sandboxPolicy.Config.parse({ mode: 'danger-full-access', workspaceRoot: cwd }))
  await root.plugin(subprocess, subprocess.Config.parse({}))
  await root.plugin(terminal, terminal.Config.parse({}))
  await root.plugin(terminalBash, terminalBash.Config.parse({}))
  await root.plugin(toolTerminal, toolTerminal.Config.parse(options.toolConfig ?? {}))
  await root.plugin(
    agentLoop,
    agentLoop.Config.parse({ model: { kind: 'script', script: { prompts } }, ...options.loopConfig }),
  )
  await root.plugin(acp, acp.Config.parse(options.config ?? {}))
  let pipe = createPipe()
  const clients: TestClient[] = []
  const house: House = {
    root,
    cwd,
    connect(clientOptions) {
      pipe = createPipe()
      root.acp.serve(pipe.agentSide)
      const client = new TestClient(pipe.clientSide, clientOptions)
      clients.push(client)
      return client
    },
    write: (text) => pipe.write(text),
    hangUp: () => pipe.hangUp(),
    pauseReading: () => pipe.pauseReading(),
    async dispose() {
      await Promise.all(clients.map((client) => client.close()))
      await root.fiber.dispose()
      await rm(cwd, { recursive: true, force: true })
    },
  }
  houses.push(house)
  return house
}

/** What one prompt with one command came to. */
export interface Run {
  readonly house: House
  readonly client: TestClient
  readonly sessionId: string
  readonly response: PromptResponse
  /** The id of the last call of the prompt. */
  readonly callId: string
}

/** Start a house, connect, and run the calls as one prompt. */
export async function runCalls(
  calls: readonly Call[],
  clientOptions: ClientOptions = { meta: CARDS },
  options: Partial<HouseOptions> = {},
): Promise<Run> {
  const house = await buildHouse({ prompts: [calls], ...options })
  const client = house.connect(clientOptions)
  const sessionId = await client.open(house.cwd)
  const response = await client.prompt(sessionId)
  return { house, client, sessionId, response, callId: client.callIds(sessionId).at(-1) ?? '' }
}
